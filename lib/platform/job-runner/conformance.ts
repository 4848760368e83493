import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JobRunner, RunRequest } from './port';

/** A runner to be put to the test, with what only its maker can do. */
export interface RunnerUnderTest {
  /** A runner instance as another worker would have it: they share the platform and nothing else. */
  instance(): JobRunner;
  /** How many runs fit at once; `Infinity` where the runner queues by itself. */
  readonly slots: number;
  /** A new attempt whose run lasts until it is released. */
  prepare(): Promise<RunRequest>;
  /** Lets the run of an attempt end well. */
  release(attemptId: string): Promise<void>;
  /** How many times the work of an attempt was begun. */
  countBegun(attemptId: string): Promise<number>;
  close(): Promise<void>;
}

/** What every job runner must do; each implementation's test file calls this once. */
export function jobRunnerConformance(name: string, make: () => Promise<RunnerUnderTest>): void {
  describe(`job runner: ${name}`, () => {
    let made: RunnerUnderTest;
    let runner: JobRunner;
    beforeEach(async () => {
      made = await make();
      runner = made.instance();
    });
    afterEach(() => made.close());
    const state = async (runId: string, of = runner) => (await of.status([runId])).get(runId)?.state;
    const submitted = async (request: RunRequest) => {
      const outcome = await runner.submit(request);
      if (outcome.kind !== 'submitted') throw new Error(`not submitted: ${JSON.stringify(outcome)}`);
      return outcome.runId;
    };
    const waitFor = { timeout: 45_000, interval: 50 };

    test('a run is alive until it ends and gone afterwards, also to another worker', async () => {
      const request = await made.prepare();
      const runId = await submitted(request);
      expect(await state(runId)).toBe('alive');
      expect(await state(runId, made.instance())).toBe('alive');
      await made.release(request.attemptId);
      await expect.poll(() => state(runId), waitFor).toBe('gone');
      expect(await state(runId, made.instance())).toBe('gone');
    });

    test('the same attempt submitted many times at once, by two workers, is one run', async () => {
      const request = await made.prepare();
      const [one, other] = [made.instance(), made.instance()];
      const outcomes = await Promise.all(
        [0, 1, 2, 3].flatMap(() => [one.submit(request), other.submit(request)]),
      );
      const runIds = new Set(outcomes.map((outcome) => JSON.stringify(outcome)));
      expect(runIds.size).toBe(1);
      expect(outcomes[0]?.kind).toBe('submitted');
      await expect.poll(() => made.countBegun(request.attemptId), waitFor).toBe(1);
      await made.release(request.attemptId);
    });

    test('an attempt whose run has ended is not run again when it is submitted again', async () => {
      const request = await made.prepare();
      const runId = await submitted(request);
      await made.release(request.attemptId);
      await expect.poll(() => state(runId), waitFor).toBe('gone');
      expect(await submitted(request)).toBe(runId);
      expect(await state(runId)).toBe('gone');
      expect(await made.countBegun(request.attemptId)).toBe(1);
    });

    test('a cancelled run is gone in the end; cancelling it again is no error', async () => {
      const request = await made.prepare();
      const runId = await submitted(request);
      await runner.cancel(runId);
      await made.instance().cancel(runId);
      await expect.poll(() => state(runId), waitFor).toBe('gone');
      await runner.cancel(runId);
      expect(await state(runId)).toBe('gone');
    });

    test('every run asked for is in the answer, and a run that nobody knows is not alive', async () => {
      const request = await made.prepare();
      const runId = await submitted(request);
      const unknown = runId.replace(/[0-9a-f]{6}$/, (end) => (end === '000000' ? '111111' : '000000'));
      const answer = await runner.status([runId, unknown]);
      expect([...answer.keys()].sort()).toEqual([runId, unknown].sort());
      expect(answer.get(unknown)?.state).not.toBe('alive');
      expect(await runner.status([])).toEqual(new Map());
      await made.release(request.attemptId);
    });

    test('all runs that are alive can be listed, by any worker', async () => {
      const request = await made.prepare();
      const runId = await submitted(request);
      const alive = { runId, attemptId: request.attemptId };
      expect(await made.instance().listAlive()).toContainEqual(alive);
      await made.release(request.attemptId);
      await expect.poll(() => runner.listAlive(), waitFor).not.toContainEqual(alive);
    });

    test('a full runner says so, starts nothing, and takes the attempt once there is room', async () => {
      if (!Number.isFinite(made.slots)) return;
      const running = [];
      for (let n = 0; n < made.slots; n += 1) {
        const request = await made.prepare();
        running.push(request);
        await submitted(request);
      }
      expect(await runner.freeSlots()).toBe(0);
      const waiting = await made.prepare();
      expect((await runner.submit(waiting)).kind).toBe('full');
      expect(await made.countBegun(waiting.attemptId)).toBe(0);
      await made.release(running[0]?.attemptId ?? '');
      await expect.poll(() => runner.freeSlots(), waitFor).toBe(1);
      await submitted(waiting);
      expect(await runner.freeSlots()).toBe(0);
    });
  });
}
