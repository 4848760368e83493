import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeRunner, QueueWorld } from '@/test/queue-world';
import { cancelTask } from './cancel';
import { idempotencyToken, recordDispatch, recordFull, recordRefused } from './dispatch';
import { readSettings } from './settings';
import { snoozeAttempt } from './snooze';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

describe('dispatch', () => {
  it('notes the run of a claimed attempt, and the same again changes nothing', async () => {
    const claimed = await world.claimed();
    expect(await world.dispatch(claimed)).toBe('running');
    const first = await world.attempt(claimed.attemptId);
    expect(first).toMatchObject({ status: 'running', run_id: `run-${claimed.attemptId}` });
    expect((await world.task(claimed.taskId)).locked_by).toBe(`run-${claimed.attemptId}`);
    expect(await world.dispatch(claimed)).toBe('running');
    expect(await world.attempt(claimed.attemptId)).toEqual(first);
  });

  it('invariant 6: a second run for the same attempt is stale, and to be cancelled', async () => {
    const run = await world.running();
    const other = { attemptId: run.attemptId, runId: 'another', workerId: 'w2' };
    expect(await recordDispatch(world.db, other)).toBe('stale');
    expect(await world.attempt(run.attemptId)).toMatchObject({ run_id: `run-${run.attemptId}` });
    expect((await world.task(run.taskId)).locked_by).toBe(`run-${run.attemptId}`);
  });

  it('is stale once the attempt no longer acts; the run id is kept, so that the run can be stopped', async () => {
    const claimed = await world.claimed();
    await world.db.execute(
      sql`update tickmark.tasks set status = 'enqueued' where id = ${claimed.taskId}::uuid`,
    );
    expect(await world.dispatch(claimed)).toBe('stale');
    expect(await world.attempt(claimed.attemptId)).toMatchObject({
      status: 'superseded',
      run_id: `run-${claimed.attemptId}`,
    });
    expect((await world.task(claimed.taskId)).locked_by).toBeNull();
    expect(await recordDispatch(world.db, { attemptId: randomUUID(), runId: 'r', workerId: 'w' })).toBe(
      'stale',
    );
  });

  it('invariant 6: the idempotency token names the environment and stays within 64 characters', async () => {
    const { environmentId } = await readSettings(world.db);
    const token = idempotencyToken(environmentId, randomUUID());
    expect(token.startsWith(`${environmentId}:`)).toBe(true);
    expect(token.length).toBeLessThanOrEqual(64);
  });

  it('a refused submission ends the attempt; its code decides whether the task is tried again', async () => {
    const [one, two, three] = [await world.claimed(), await world.claimed(), await world.claimed()];
    const refuse = (attemptId: string, code: string) =>
      recordRefused(world.db, { attemptId, code, message: 'no\u0000', workerId: 'w1' });
    expect(await refuse(one.attemptId, 'internal')).toBe('recorded');
    expect((await world.task(one.taskId)).status).toBe('enqueued');
    expect(await refuse(two.attemptId, 'too_large')).toBe('recorded');
    expect(await world.task(two.taskId)).toMatchObject({ status: 'failed', error_code: 'too_large' });
    expect(await refuse(three.attemptId, 'no_such_job')).toBe('recorded');
    expect(await world.task(three.taskId)).toMatchObject({ status: 'failed', error_code: 'no_such_job' });
    expect(await refuse(one.attemptId, 'internal')).toBe('stale');
  });
});

describe('snooze', () => {
  const snooze = (attemptId: string, delaySeconds = 5) =>
    snoozeAttempt(world.db, { attemptId, delaySeconds, reason: 'runner full', workerId: 'w1' });

  it('B30: gives the claim back without counting it, and the number is never used again', async () => {
    const claimed = await world.claimed();
    expect(await snooze(claimed.attemptId)).toBe('snoozed');
    const task = await world.task(claimed.taskId);
    expect(task).toMatchObject({ status: 'enqueued', attempt_count: 0, locked_by: null, parked: 'later' });
    expect(task.wait_seconds).toBeGreaterThan(4);
    expect(await world.attempt(claimed.attemptId)).toMatchObject({ status: 'snoozed' });
    expect(await snooze(claimed.attemptId)).toBe('stale');
    await world.makeDue();
    expect(await world.claim(1)).toMatchObject([{ number: 2 }]);
    expect((await world.task(claimed.taskId)).attempt_count).toBe(1);
  });

  it('frees its slot and its tokens at once', async () => {
    await world.db.execute(
      sql`update tickmark.agents set max_concurrent_tasks = 1, max_tpm = 100 where id = 'invoice'`,
    );
    const claimed = await world.claimed();
    await world.enqueue(1);
    await snooze(claimed.attemptId, 100);
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('ends cancelled where a cancel was requested', async () => {
    const claimed = await world.claimed();
    await cancelTask(world.db, { taskId: claimed.taskId, actor: 'user:1' });
    expect(await snooze(claimed.attemptId)).toBe('snoozed');
    expect((await world.task(claimed.taskId)).status).toBe('cancelled');
  });

  it('invariant 4: a worker that was away cannot give back what another one has started', async () => {
    const run = await world.running();
    const { attemptId } = run;
    expect(await snooze(attemptId)).toBe('stale');
    const full = { attemptId, retryAfterSeconds: 1, everywhere: true, workerId: 'away' };
    expect(await recordFull(world.db, full)).toBe('stale');
    const refused = { attemptId, code: 'internal', message: 'no', workerId: 'away' };
    expect(await recordRefused(world.db, refused)).toBe('stale');
    expect(await world.attempt(attemptId)).toMatchObject({ status: 'running', run_stopped_at: null });
    const stopped = { attemptId, delaySeconds: 0, reason: 'x', workerId: 'w1', runStopped: true };
    expect(await snoozeAttempt(world.db, stopped)).toBe('snoozed');
  });

  it('nor what another one has taken over and is about to start', async () => {
    const claimed = await world.claimed();
    await world.expireLeases();
    const takers = await world.sweep(new FakeRunner(), { workerId: 'taker', redispatch: async () => {} });
    expect(takers.redispatched).toBe(1);
    expect(await snooze(claimed.attemptId)).toBe('stale');
    const { attemptId } = claimed;
    const refused = { attemptId, code: 'internal', message: 'no' };
    expect(await recordRefused(world.db, { ...refused, workerId: 'w1' })).toBe('stale');
    expect(await recordRefused(world.db, { ...refused, workerId: 'taker' })).toBe('recorded');
  });

  it('invariant 4: one that was given back and is started all the same counts until its run has stopped', async () => {
    await world.db.execute(sql`update tickmark.agents set max_concurrent_tasks = 1 where id = 'invoice'`);
    const late = await world.claimed();
    await snooze(late.attemptId, 0);
    // Its run is heard before its worker has noted it.
    await world.progress(late, { runId: `run-${late.attemptId}` });
    expect(await world.dispatch(late)).toBe('stale');
    expect(await world.attempt(late.attemptId)).toMatchObject({
      status: 'superseded',
      run_id: `run-${late.attemptId}`,
      run_stopped_at: null,
    });
    // It did run, which costs its task none of its tries.
    expect(await world.task(late.taskId)).toMatchObject({ attempt_count: 1, max_attempts: 4 });
    await world.makeDue();
    expect(await world.claim(1)).toEqual([]);
    await world.sweep(new FakeRunner({ state: 'gone' }));
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('one that is over by its own report is not opened again by a late note of its run', async () => {
    const quick = await world.claimed();
    await world.fail(quick);
    expect(await world.dispatch(quick)).toBe('stale');
    expect(await world.attempt(quick.attemptId)).toMatchObject({ status: 'failed' });
    expect((await world.attempt(quick.attemptId)).run_stopped_at).not.toBeNull();
  });
});
