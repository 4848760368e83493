import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive } from '@/lib/process/identity';
import { createRunFixture, type RunFixture, runs } from '@/test/run-fixture';
import { until } from '@/test/until';
import { jobRunnerConformance } from './conformance';

jobRunnerConformance('embedded', async () => {
  const fixture = await createRunFixture();
  return {
    slots: 2,
    instance: () => fixture.newRunner(2),
    prepare: () => fixture.request('waitForFile:go'),
    release: fixture.release,
    countBegun: async (attemptId) => (await fixture.childPids(attemptId)).length,
    close: fixture.close,
  };
});

let fixture: RunFixture;
beforeEach(async () => {
  fixture = await createRunFixture();
});
afterEach(() => fixture.close());

test('a run whose host was killed is gone, its child with it, and the attempt is never run again', async () => {
  const runner = fixture.newRunner(1);
  const request = await fixture.request('hang');
  await runner.submit(request);
  const [child] = await until('a child', async () => {
    const pids = await fixture.childPids(request.attemptId);
    return pids.length > 0 ? pids : null;
  });
  const host = await fixture.hostOf(request.attemptId);
  process.kill(host?.pid ?? 0, 'SIGKILL');
  await until('the child to notice', async () => !(await runs(child ?? 0)));
  const again = await runner.submit(request);
  expect(again).toEqual({ kind: 'submitted', runId: `local-${request.attemptId}` });
  expect((await runner.status([`local-${request.attemptId}`])).get(`local-${request.attemptId}`)).toEqual({
    state: 'gone',
  });
  expect(await fixture.childPids(request.attemptId)).toHaveLength(1);
  expect(await runner.freeSlots()).toBe(1);
});

test('a child that is stuck in a loop dies with its host, too', async () => {
  const request = await fixture.request('spin');
  await fixture.newRunner(1).submit(request);
  const [child] = await until('a child', async () => {
    const pids = await fixture.childPids(request.attemptId);
    return pids.length > 0 ? pids : null;
  });
  process.kill((await fixture.hostOf(request.attemptId))?.pid ?? 0, 'SIGKILL');
  await until('the stuck child to end', async () => !(await runs(child ?? 0)));
});

test('two workers that submit different attempts at once never exceed the slots of the machine', async () => {
  const [one, other] = [fixture.newRunner(2), fixture.newRunner(2)];
  const requests = await Promise.all(Array.from({ length: 6 }, () => fixture.request('waitForFile:go')));
  const outcomes = await Promise.all(requests.map((request, n) => (n % 2 ? one : other).submit(request)));
  const kinds = outcomes.map((outcome) => outcome.kind).sort();
  expect(kinds).toEqual(['full', 'full', 'full', 'full', 'submitted', 'submitted']);
  const alive = await Promise.all(
    requests.map(async ({ attemptId }) => {
      const host = await fixture.hostOf(attemptId);
      return host !== null && (await isAlive(host));
    }),
  );
  expect(alive.filter(Boolean)).toHaveLength(2);
});

test('a run that was cancelled before it had a host never starts', async () => {
  const runner = fixture.newRunner(1);
  const request = await fixture.request('succeed');
  await runner.cancel(`local-${request.attemptId}`);
  await runner.submit(request);
  const status = await runner.status([`local-${request.attemptId}`]);
  expect(status.get(`local-${request.attemptId}`)?.state).toBe('gone');
  expect(await fixture.childPids(request.attemptId)).toEqual([]);
});

test('a host that hangs is killed when it is told to stop again and again', async () => {
  const runner = fixture.newRunner(1);
  const request = await fixture.request('hang');
  await runner.submit(request);
  const runId = `local-${request.attemptId}`;
  process.kill((await fixture.hostOf(request.attemptId))?.pid ?? 0, 'SIGSTOP');
  await until('the frozen host to be gone', async () => {
    await runner.cancel(runId);
    return (await runner.status([runId])).get(runId)?.state === 'gone';
  });
});

test('a run of another installation on the same database is not declared dead', async () => {
  const runId = 'local-0b0ad9de-6a66-4c0e-8a07-4d3f2f5f0c11';
  expect((await fixture.newRunner(1).status([runId])).get(runId)?.state).toBe('unreachable');
});

test('an input that can not be read is refused for good', async () => {
  const request = await fixture.request('succeed');
  const missing = { ...request, inputPath: `${request.inputPath}.missing` };
  expect((await fixture.newRunner(1).submit(missing)).kind).toBe('refused');
});
