import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeRunner, QueueWorld } from '@/test/queue-world';
import { cancelTask } from './cancel';
import type { ClaimedTask } from './claim';
import { extendLeases, listWatched } from './lease';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const gone = () => new FakeRunner({ state: 'gone' });
const alive = () => new FakeRunner({ state: 'alive' });

/** Moves an attempt's start back, as if it had been running for so long. */
async function age(run: ClaimedTask, seconds: number): Promise<void> {
  await world.db.execute(sql`
    update tickmark.task_attempts
    set claimed_at = claimed_at - make_interval(secs => ${seconds}), dispatched_at = dispatched_at - make_interval(secs => ${seconds})
    where id = ${run.attemptId}::uuid`);
}

describe('sweep: expired leases', () => {
  it('leaves alone what has a lease, and says nothing when there is nothing', async () => {
    const run = await world.running();
    const report = await world.sweep(gone());
    expect(Object.values(report).every((n) => n === 0)).toBe(true);
    expect((await world.task(run.taskId)).status).toBe('processing');
  });

  it('C1, B2: a run that is alive, or out of reach, keeps its task: expiry is a reason to ask, not proof of death', async () => {
    const run = await world.running();
    for (const runner of [alive(), new FakeRunner({ state: 'unreachable' })]) {
      await world.expireLeases();
      expect(await world.sweep(runner)).toMatchObject({ extended: 1, lost: 0 });
      expect(await world.task(run.taskId)).toMatchObject({
        status: 'processing',
        current_attempt_id: run.attemptId,
      });
      expect((await world.task(run.taskId)).lease_seconds).toBeGreaterThan(10);
    }
  });

  it('C5: a runner that throws is out of reach, not dead', async () => {
    const run = await world.running();
    await world.expireLeases();
    const runner = alive();
    runner.status = async () => {
      throw new Error('503');
    };
    const errors: unknown[] = [];
    expect(await world.sweep(runner, { onError: (error) => errors.push(error) })).toMatchObject({
      extended: 1,
    });
    expect(errors).toHaveLength(1);
    expect((await world.task(run.taskId)).status).toBe('processing');
  });

  it('M7, M36: a run that is gone without a word is lost, and its task is tried again', async () => {
    const run = await world.running();
    await world.expireLeases();
    expect(await world.sweep(gone())).toMatchObject({ lost: 1 });
    expect(await world.task(run.taskId)).toMatchObject({
      status: 'enqueued',
      lost_count: 1,
      attempt_count: 1,
    });
    expect(await world.attempt(run.attemptId)).toMatchObject({ status: 'lost', error_code: 'run_lost' });
    expect((await world.attempt(run.attemptId)).finished_at).not.toBeNull();
    await world.makeDue();
    expect(await world.claim(1)).toMatchObject([{ taskId: run.taskId, number: 2 }]);
  });

  it('a run that is gone for a reason that another attempt would meet again fails its task at once', async () => {
    const run = await world.running();
    await world.expireLeases();
    const state = { state: 'gone', code: 'internal', retryable: false, message: 'Mend the job.' } as const;
    await world.sweep(new FakeRunner(state));
    expect(await world.task(run.taskId)).toMatchObject({ status: 'failed', error_code: 'internal' });
    expect(await world.attempt(run.attemptId)).toMatchObject({ status: 'failed' });
  });

  it('M13: a run that is gone but left its report is settled by that', async () => {
    const run = await world.running();
    await world.expireLeases();
    const left = world.delivery(run, { type: 'attempt.succeeded', usage: { inputTokens: 7 } });
    expect(await world.sweep(gone(), { readOutbox: async () => left })).toMatchObject({
      reported: 1,
      lost: 0,
    });
    expect((await world.task(run.taskId)).status).toBe('completed');
    // The same file found again, or the callback that comes late after all: the same delivery.
    expect(await world.deliver(left)).toEqual({ outcome: 'applied', stop: false });
  });

  it('invariant 1: a report that can not be read now is no reason to call the run lost', async () => {
    const run = await world.running();
    await world.expireLeases();
    const errors: unknown[] = [];
    const readOutbox = async () => {
      throw new Error('disk');
    };
    expect(await world.sweep(gone(), { readOutbox, onError: (error) => errors.push(error) })).toMatchObject({
      failed: 1,
    });
    expect((await world.task(run.taskId)).status).toBe('processing');
    await world.expireLeases();
    expect(await world.sweep(gone())).toMatchObject({ lost: 1 });
  });

  it('a report on another attempt is none: the run is lost, and the task not stuck', async () => {
    const run = await world.running();
    const other = await world.running();
    await world.db.execute(sql`
      update tickmark.tasks set lease_expires_at = now() - interval '1 s' where id = ${run.taskId}::uuid`);
    const left = { ...world.delivery(other, { type: 'attempt.succeeded' }), attemptId: run.attemptId };
    const errors: unknown[] = [];
    const report = await world.sweep(gone(), {
      readOutbox: async () => left,
      onError: (error) => errors.push(error),
    });
    expect([report.lost, errors.length]).toEqual([1, 1]);
    expect((await world.task(other.taskId)).status).toBe('processing');
  });

  it('B15: three lost in a row park a poison task as run_lost, however many attempts it may have', async () => {
    const [taskId] = await world.enqueue(1);
    await world.db.execute(sql`update tickmark.tasks set max_attempts = 50`);
    for (let i = 0; i < 3; i++) {
      await world.makeDue();
      const [claimed] = await world.claim(1);
      if (!claimed) throw new Error('not claimed');
      await world.dispatch(claimed);
      await world.expireLeases();
      await world.sweep(gone());
    }
    expect(await world.task(taskId as string)).toMatchObject({
      status: 'failed',
      error_code: 'run_lost',
      attempt_count: 3,
    });
    expect((await world.attempts(taskId as string)).map((attempt) => attempt.status)).toEqual([
      'lost',
      'lost',
      'lost',
    ]);
  });

  it('B15: an attempt that answers in between starts the count anew', async () => {
    const run = await world.running();
    await world.db.execute(sql`update tickmark.tasks set lost_count = 2, max_attempts = 50`);
    await world.fail(run);
    expect((await world.task(run.taskId)).lost_count).toBe(0);
  });

  it('invariant 6, B8: a claim whose worker died before it noted a run is dispatched again as the SAME attempt', async () => {
    const claimed = await world.claimed();
    await world.expireLeases();
    const again: ClaimedTask[] = [];
    const redispatch = async (task: ClaimedTask) => void again.push(task);
    expect(await world.sweep(gone(), { redispatch })).toMatchObject({ redispatched: 1 });
    expect(again).toMatchObject([claimed]);
    expect(await world.attempts(claimed.taskId)).toHaveLength(1);
    expect((await world.task(claimed.taskId)).attempt_count).toBe(1);
  });

  it('B3, B40, C1: a run past its time limit is stopped and its task tried again; the slot counts until it has stopped', async () => {
    await world.db.execute(
      sql`update tickmark.agents set max_run_seconds = 60, max_concurrent_tasks = 1 where id = 'invoice'`,
    );
    const run = await world.running();
    await age(run, 80);
    await world.expireLeases();
    expect(await world.sweep(alive())).toMatchObject({ extended: 1 });
    await age(run, 20);
    await world.expireLeases();
    const runner = alive();
    expect(await world.sweep(runner)).toMatchObject({ timedOut: 1 });
    expect(runner.cancelled).toEqual([`run-${run.attemptId}`]);
    expect(await world.attempt(run.attemptId)).toMatchObject({
      status: 'superseded',
      error_code: 'timeout',
      run_stopped_at: null,
    });
    await world.makeDue();
    expect(await world.claim(1)).toEqual([]);
    expect(await world.sweep(gone())).toMatchObject({ stopped: 1 });
    expect(await world.claim(1)).toMatchObject([{ number: 2 }]);
  });

  it('B5: eight sweepers at once deal with each task once', async () => {
    await world.enqueue(30);
    for (const claimed of await world.claim(30)) await world.dispatch(claimed);
    await world.expireLeases();
    const reports = await Promise.all(Array.from({ length: 8 }, () => world.sweep(gone(), { limit: 7 })));
    expect(reports.reduce((sum, report) => sum + report.lost, 0)).toBe(30);
    const { rows } = await world.db.execute<{ n: number }>(sql`
      select count(*)::int as n from tickmark.task_events where actor = 'sweeper'`);
    expect(rows[0]?.n).toBe(30);
  });

  it('invariant 1 and 2: a callback that races the sweep wins or finds its task waiting; either way it completes', async () => {
    for (let i = 0; i < 15; i++) {
      const run = await world.running();
      await world.expireLeases();
      const [answer] = await Promise.all([world.succeed(run), world.sweep(gone())]);
      expect(answer.outcome).toBe('applied');
      expect((await world.task(run.taskId)).status).toBe('completed');
      expect((await world.attempt(run.attemptId)).status).toBe('succeeded');
      expect((await world.story(run.taskId)).filter((line) => line.includes('>completed'))).toHaveLength(1);
    }
  });
});

describe('sweep: cancels', () => {
  it('B28: tells the runner, keeps the slot while it runs, and says cancelled when it has stopped', async () => {
    const run = await world.running();
    await cancelTask(world.db, { taskId: run.taskId, actor: 'user:1' });
    const runner = alive();
    await world.sweep(runner);
    expect(runner.cancelled).toEqual([`run-${run.attemptId}`]);
    expect((await world.task(run.taskId)).status).toBe('processing');
    expect(await world.sweep(gone())).toMatchObject({ cancelled: 1 });
    expect(await world.task(run.taskId)).toMatchObject({ status: 'cancelled', current_attempt_id: null });
    expect(await world.attempt(run.attemptId)).toMatchObject({ status: 'cancelled' });
    expect((await world.story(run.taskId)).slice(-2)).toEqual([
      'processing>processing user',
      'processing>cancelled sweeper',
    ]);
  });

  it('a cancelled run that left a result ends cancelled too, with cost and result on the attempt', async () => {
    const run = await world.running();
    await cancelTask(world.db, { taskId: run.taskId, actor: 'user:1' });
    const left = world.delivery(run, {
      type: 'attempt.succeeded',
      usage: { inputTokens: 7, costUsd: '0.1' },
    });
    await world.sweep(gone(), { readOutbox: async () => left });
    expect(await world.task(run.taskId)).toMatchObject({ status: 'cancelled', result: null });
    expect(await world.attempt(run.attemptId)).toMatchObject({ llm_cost_usd: '0.100000000000' });
  });

  it('a claim that was cancelled before its run was noted is dispatched, found and stopped: no run is left behind', async () => {
    const claimed = await world.claimed();
    await cancelTask(world.db, { taskId: claimed.taskId, actor: 'user:1' });
    await world.expireLeases();
    const runner = alive();
    await world.sweep(runner, { redispatch: (task) => world.dispatch(task) });
    await world.sweep(runner);
    expect(runner.cancelled).toEqual([`run-${claimed.attemptId}`]);
  });

  it('cancel racing success: the task is completed or cancelled, never both, never waiting', async () => {
    for (let i = 0; i < 15; i++) {
      const run = await world.running();
      await Promise.all([world.succeed(run), cancelTask(world.db, { taskId: run.taskId, actor: 'user:1' })]);
      const task = await world.task(run.taskId);
      expect(['completed', 'cancelled']).toContain(task.status);
      expect((await world.attempt(run.attemptId)).status).toBe(
        task.status === 'completed' ? 'succeeded' : 'cancelled',
      );
      expect(task.result === null).toBe(task.status === 'cancelled');
    }
  });
});

describe('sweep: what a person left behind', () => {
  it('M7: a row set to processing by hand, with a past lease or none, is queued again', async () => {
    const [past, none, future] = await world.enqueue(3);
    await world.db.execute(sql`
      update tickmark.tasks set status = 'processing', lease_expires_at = now() - interval '1 minute' where id = ${past}::uuid`);
    await world.db.execute(sql`update tickmark.tasks set status = 'processing' where id = ${none}::uuid`);
    await world.db.execute(sql`
      update tickmark.tasks set status = 'processing', lease_expires_at = now() + interval '1 minute' where id = ${future}::uuid`);
    expect(await world.sweep(alive())).toMatchObject({ requeued: 2 });
    expect((await world.claim(10)).map((task) => task.taskId)).toEqual([past, none]);
    expect((await world.task(future as string)).status).toBe('processing');
  });

  it('a run whose task was taken away by hand is stopped, and then its slot is free', async () => {
    const run = await world.running();
    await world.db.execute(
      sql`update tickmark.tasks set status = 'completed' where id = ${run.taskId}::uuid`,
    );
    const runner = alive();
    await world.sweep(runner);
    expect(runner.cancelled).toEqual([`run-${run.attemptId}`]);
    expect(await world.sweep(gone())).toMatchObject({ stopped: 1 });
    expect((await world.attempt(run.attemptId)).run_stopped_at).not.toBeNull();
  });

  it('what a superseded run left in its outbox is still recorded', async () => {
    const run = await world.running();
    await world.db.execute(
      sql`update tickmark.tasks set status = 'cancelled' where id = ${run.taskId}::uuid`,
    );
    const left = world.delivery(run, {
      type: 'attempt.succeeded',
      usage: { inputTokens: 7, costUsd: '0.1' },
    });
    await world.sweep(gone(), { readOutbox: async () => left });
    expect(await world.attempt(run.attemptId)).toMatchObject({
      status: 'superseded',
      llm_cost_usd: '0.100000000000',
    });
    expect((await world.task(run.taskId)).status).toBe('cancelled');
  });

  it('a superseded attempt without a run id counts only as long as a submission could still be under way', async () => {
    const claimed = await world.claimed();
    await world.db.execute(
      sql`update tickmark.tasks set status = 'cancelled' where id = ${claimed.taskId}::uuid`,
    );
    expect(await world.sweep(alive())).toMatchObject({ stopped: 0 });
    await world.db.execute(
      sql`update tickmark.task_attempts set finished_at = finished_at - interval '121 s'`,
    );
    expect(await world.sweep(alive())).toMatchObject({ stopped: 1 });
  });

  it('B5: a run that is recorded in the moment in which its attempt is taken for never started goes on counting', async () => {
    await world.db.execute(sql`update tickmark.agents set max_concurrent_tasks = 1 where id = 'invoice'`);
    const [claimed] = await world.enqueue(2).then(() => world.claim(1));
    if (!claimed) throw new Error('nothing was claimed');
    await world.db.execute(
      sql`update tickmark.tasks set status = 'cancelled' where id = ${claimed.taskId}::uuid`,
    );
    await world.db.execute(
      sql`update tickmark.task_attempts set finished_at = finished_at - interval '3 minutes', claimed_at = claimed_at - interval '4 minutes'`,
    );
    const readOutbox = async () => {
      expect(await world.dispatch(claimed)).toBe('stale');
      return null;
    };
    await world.sweep(alive(), { readOutbox });
    expect(await world.attempt(claimed.attemptId)).toMatchObject({
      status: 'superseded',
      run_stopped_at: null,
    });
    expect(await world.claim(1)).toEqual([]);
    // The run is stopped as any other of its kind, and then the slot is free.
    await world.sweep(gone());
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('an attempt left live behind a task that is over is superseded, and its history says so', async () => {
    const run = await world.running();
    await world.db.execute(sql`alter table tickmark.tasks disable trigger tasks_keep_legal`);
    await world.db.execute(sql`
      update tickmark.tasks set status = 'completed', finished_at = now(), current_attempt_id = null where id = ${run.taskId}::uuid`);
    await world.db.execute(sql`alter table tickmark.tasks enable trigger tasks_keep_legal`);
    await world.sweep(alive());
    expect((await world.attempt(run.attemptId)).status).toBe('superseded');
    expect((await world.story(run.taskId)).at(-1)).toContain('completed>completed sweeper');
  });

  it('an attempt left live behind the back of every trigger is superseded, so that its task can be claimed', async () => {
    const run = await world.running();
    await world.db.execute(sql`alter table tickmark.tasks disable trigger tasks_keep_legal`);
    await world.db.execute(sql`
      update tickmark.tasks set status = 'enqueued', current_attempt_id = null where id = ${run.taskId}::uuid`);
    await world.db.execute(sql`alter table tickmark.tasks enable trigger tasks_keep_legal`);
    expect(await world.claim(1)).toEqual([]);
    await world.sweep(alive());
    expect((await world.attempt(run.attemptId)).status).toBe('superseded');
    expect(await world.claim(1)).toMatchObject([{ taskId: run.taskId, number: 2 }]);
  });
});

describe('leases', () => {
  it('M7: extends in one statement what still acts, and names what does not', async () => {
    const [one, two] = [await world.running(), await world.running()];
    await world.succeed(two);
    await world.expireLeases();
    const attemptIds = [one.attemptId, two.attemptId];
    expect(await extendLeases(world.db, { attemptIds, leaseSeconds: 100 })).toEqual([one.attemptId]);
    expect((await world.task(one.taskId)).lease_seconds).toBeGreaterThan(90);
    expect(await extendLeases(world.db, { attemptIds: [], leaseSeconds: 100 })).toEqual([]);
  });

  it('never extends past the time limit of the agent', async () => {
    await world.db.execute(sql`update tickmark.agents set max_run_seconds = 60 where id = 'invoice'`);
    const run = await world.running();
    await age(run, 50);
    await extendLeases(world.db, { attemptIds: [run.attemptId], leaseSeconds: 100 });
    expect((await world.task(run.taskId)).lease_seconds).toBeLessThan(11);
    await age(run, 20);
    expect(await extendLeases(world.db, { attemptIds: [run.attemptId], leaseSeconds: 100 })).toEqual([]);
  });

  it('B49: a renewal is a HOT update: no index is written', async () => {
    const run = await world.running();
    await world.db.transaction(async (tx) => {
      const updates = async () => {
        const { rows } = await tx.execute<{ hot: number; all: number }>(sql`
          select n_tup_hot_upd::int as hot, n_tup_upd::int as all from pg_stat_xact_user_tables where relname = 'tasks'`);
        return rows[0] ?? { hot: 0, all: 0 };
      };
      const before = await updates();
      await extendLeases(tx, { attemptIds: [run.attemptId], leaseSeconds: 100 });
      const after = await updates();
      expect({ hot: after.hot - before.hot, all: after.all - before.all }).toEqual({ hot: 1, all: 1 });
    });
  });

  it('lists the runs to watch, all or what falls to one worker', async () => {
    const mine = await world.running();
    await world.claimed();
    const run = {
      taskId: mine.taskId,
      attemptId: mine.attemptId,
      runId: `run-${mine.attemptId}`,
      cancelRequested: false,
    };
    expect(await listWatched(world.db, { limit: 10 })).toMatchObject([run]);
    const watcher = { workerId: 'w1', leaseSeconds: 15 };
    expect(await listWatched(world.db, { watcher, limit: 10 })).toMatchObject([run]);
  });
});
