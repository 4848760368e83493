import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '@/lib/log';
import { createEmbeddedDocumentStore } from '@/lib/platform/document-store/embedded';
import type { Delivery } from '@/lib/queue/callback';
import { cancelTask } from '@/lib/queue/cancel';
import type { ClaimedTask } from '@/lib/queue/claim';
import { beat } from '@/lib/queue/worker-heartbeat';
import { priceUsages } from '@/lib/usage/price';
import { FakeRunner, QueueWorld } from '@/test/queue-world';
import { type KeeperDeps, keepOnce } from './keeper';
import { createWorkerMetrics } from './metrics';
import { createReconciler } from './reconciler';
import { createRunFileKeeper } from './run-files';

const log = createLogger('test', 'silent');
const metrics = createWorkerMetrics();
let world: QueueWorld;
let runner: FakeRunner;
let outboxes: Map<string, Delivery>;
let deps: KeeperDeps;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  runner = new FakeRunner();
  outboxes = new Map();
  deps = {
    db: world.db,
    runner,
    workerId: 'w1',
    leaseSeconds: 15,
    log,
    metrics,
    hooks: { priceUsages },
    readOutbox: async (attemptId) => outboxes.get(attemptId) ?? null,
  };
});

/** Makes what an attempt has said and done be `seconds` longer ago. */
const age = (attempt: ClaimedTask, seconds: number) =>
  world.db.execute(sql`
    update tickmark.task_attempts
    set last_sign_at = last_sign_at - make_interval(secs => ${seconds}),
      dispatched_at = dispatched_at - make_interval(secs => ${seconds}),
      finished_at = finished_at - make_interval(secs => ${seconds}),
      run_stopped_at = run_stopped_at - make_interval(secs => ${seconds})
    where id = ${attempt.attemptId}::uuid`);
const leave = (attempt: ClaimedTask, type: 'attempt.succeeded' | 'attempt.failed') =>
  outboxes.set(attempt.attemptId, world.delivery(attempt, { type }, 'final'));
const runOf = ({ attemptId }: ClaimedTask) => `run-${attemptId}`;

describe('outboxes of runs in flight', () => {
  test('B8: with every callback lost for ever, a task ends while its run still tries to call back', async () => {
    const [done, failed, going] = [await world.running(), await world.running(), await world.running()];
    leave(done, 'attempt.succeeded');
    leave(failed, 'attempt.failed');
    for (const run of [done, failed, going]) await age(run, 11);
    await createReconciler(deps)();
    expect((await world.task(done.taskId)).status).toBe('completed');
    expect(await world.task(failed.taskId)).toMatchObject({ status: 'enqueued', error_code: null });
    expect((await world.task(going.taskId)).status).toBe('processing');
    // The callback that arrives after all is the same delivery, and gets the same answer.
    expect(await world.succeed(done, {}, 'final')).toEqual({ outcome: 'applied', stop: false });
  });

  test('a run that was heard of just now is not asked, and more than fit at once all get their turn', async () => {
    await world.enqueue(250);
    const runs = await world.claim(250);
    await world.db.execute(sql`
      update tickmark.task_attempts
      set status = 'running', run_id = 'run-' || id, dispatched_at = clock_timestamp() - interval '1 minute'`);
    for (const run of runs) leave(run, 'attempt.succeeded');
    const [heard] = runs;
    if (!heard) throw new Error('nothing was claimed');
    await world.progress(heard);
    const reconcile = createReconciler(deps);
    await reconcile();
    await reconcile();
    expect(await world.inFlight()).toBe(1);
    expect((await world.task(heard.taskId)).status).toBe('processing');
  });

  test('an outbox that can not be read now leaves the others alone', async () => {
    const [broken, done] = [await world.running(), await world.running()];
    leave(done, 'attempt.succeeded');
    for (const run of [broken, done]) await age(run, 11);
    const { readOutbox } = deps;
    await createReconciler({
      ...deps,
      readOutbox: (id) => (id === broken.attemptId ? Promise.reject(new Error('disk')) : readOutbox(id)),
    })();
    expect((await world.task(done.taskId)).status).toBe('completed');
  });
});

describe('runs that nobody owns', () => {
  const alive = (...runs: string[]) => {
    for (const run of runs) runner.states.set(run, { state: 'alive' });
  };
  const stopped = async () => {
    await createReconciler(deps, { seenTwiceMs: 0 })();
    return runner.cancelled;
  };

  test('a run of an attempt that this database does not know is stopped, but not at first sight', async () => {
    const unknown = 'run-0b0ad9de-6a66-4c0e-8a07-4d3f2f5f0c11';
    alive(unknown);
    await createReconciler(deps)();
    expect(runner.cancelled).toEqual([]);
    expect(await stopped()).toEqual([unknown]);
  });

  test('a run whose attempt has long been over is stopped; one that has just reported ends by itself', async () => {
    const [long, just, lost] = [await world.running(), await world.running(), await world.running()];
    await world.succeed(long);
    await world.succeed(just);
    runner.states.set(runOf(lost), { state: 'gone' });
    await keepOnce(deps);
    expect((await world.attempt(lost.attemptId)).status).toBe('lost');
    alive(runOf(long), runOf(just), runOf(lost));
    await age(long, 61);
    await age(lost, 61);
    expect((await stopped()).sort()).toEqual([runOf(long), runOf(lost)].sort());
  });

  test('B2: runs that act for their task, or that the sweeper is stopping, are left alone', async () => {
    const [going, claimed] = [await world.running(), await world.claimed()];
    const cancelling = await world.running();
    await cancelTask(world.db, { taskId: cancelling.taskId, actor: 'user:1' });
    alive(runOf(going), runOf(claimed), runOf(cancelling));
    for (const run of [going, claimed, cancelling]) await age(run, 3600);
    expect(await stopped()).toEqual([]);
  });

  test('a run without an attempt id that is not recorded yet is left alone', async () => {
    alive('4711');
    expect(await stopped()).toEqual([]);
  });
});

describe('files of runs', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'tickmark-files-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  test('the input, which holds keys, goes soon after the run; the folder, which bars a second run, much later', async () => {
    const store = createEmbeddedDocumentStore(home);
    const [going, just, over, old] = [
      await world.running(),
      await world.running(),
      await world.running(),
      await world.running(),
    ];
    const all = [going, just, over, old];
    for (const { attemptId } of all) {
      await store.writeRunFile(attemptId, 'input.json', '{}');
      await store.writeRunFile(attemptId, 'host.json', '{}');
    }
    for (const run of [just, over, old]) await world.succeed(run);
    await age(over, 120);
    await age(old, 8 * 86_400);
    await store.writeRunFile('not-an-attempt', 'input.json', '{}');
    await createRunFileKeeper({ db: world.db, store, log })();
    const has = (attemptId: string, name: string) =>
      store.readRunFile(attemptId, name, 100).then((content) => content !== null);
    expect(await Promise.all(all.map(({ attemptId }) => has(attemptId, 'input.json')))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await Promise.all(all.map(({ attemptId }) => has(attemptId, 'host.json')))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(await has('not-an-attempt', 'input.json')).toBe(true);
  });

  test('of a superseded attempt whose run may go on nothing is removed', async () => {
    const store = createEmbeddedDocumentStore(home);
    const run = await world.running();
    await store.writeRunFile(run.attemptId, 'input.json', '{}');
    await world.db.execute(
      sql`update tickmark.tasks set status = 'enqueued', current_attempt_id = null where id = ${run.taskId}::uuid`,
    );
    await world.db.execute(sql`
      update tickmark.task_attempts set status = 'superseded', finished_at = clock_timestamp() - interval '1 hour'
      where id = ${run.attemptId}::uuid`);
    await createRunFileKeeper({ db: world.db, store, log })();
    expect(await store.readRunFile(run.attemptId, 'input.json', 100)).toBe('{}');
  });
});

describe('many runs in flight', () => {
  test('B49: 10,000 runs are asked about in one call and their leases extended in one statement', async () => {
    const count = 10_000;
    await world.enqueue(count);
    for (let left = count; left > 0; left -= 1000) await world.claim(1000);
    await world.db.execute(sql`
      update tickmark.task_attempts set status = 'running', run_id = 'run-' || id, dispatched_at = clock_timestamp()`);
    await world.expireLeases();
    let asked = 0;
    const counting: FakeRunner = Object.assign(new FakeRunner(), {
      status: async (runIds: readonly string[]) => {
        asked += 1;
        return new Map(runIds.map((id) => [id, { state: 'alive' } as const]));
      },
    });
    await keepOnce({ ...deps, runner: counting });
    expect(asked).toBe(1);
    const { rows } = await world.db.execute<{ extended: number; statements: number }>(sql`
      select count(*)::int as extended, count(distinct xmin::text)::int as statements
      from tickmark.tasks where lease_expires_at > clock_timestamp()`);
    expect(rows[0]).toEqual({ extended: count, statements: 1 });
    // What has most of its time left is not written again.
    await keepOnce({ ...deps, runner: counting });
    const { rows: after } = await world.db.execute<{ versions: number }>(
      sql`select count(distinct xmin::text)::int as versions from tickmark.tasks`,
    );
    expect(after[0]?.versions).toBe(1);
  });
});

describe('several workers', () => {
  const workers = ['w1', 'w2', 'w3'];
  beforeEach(async () => {
    for (const id of workers) await beat(world.db, { id, host: 'h', pid: 1, version: '0' });
    await world.enqueue(300);
    await world.claim(300);
    await world.db.execute(sql`
      update tickmark.task_attempts set status = 'running', run_id = 'run-' || id, dispatched_at = clock_timestamp()`);
  });

  /** The runs that each of these workers asks the runner about at its next look, all at the same time. */
  const asked = (ids: readonly string[]) =>
    Promise.all(
      ids.map(async (workerId) => {
        const about: string[] = [];
        const asking: FakeRunner = Object.assign(new FakeRunner(), {
          status: async (runIds: readonly string[]) => {
            about.push(...runIds);
            return new Map(runIds.map((id) => [id, { state: 'alive' } as const]));
          },
        });
        await keepOnce({ ...deps, runner: asking, workerId });
        return about;
      }),
    );

  test('B49: each run is watched by one of them, and all are', async () => {
    const shares = await asked(workers);
    expect(new Set(shares.flat()).size).toBe(300);
    expect(shares.flat()).toHaveLength(300);
    for (const share of shares) expect(share.length).toBeGreaterThan(50);
  });

  test('B4: the share of one that is found lost falls to the others at once, and back when it registers anew', async () => {
    await world.db.execute(sql`update tickmark.workers set lost_at = clock_timestamp() where id = 'w2'`);
    const shares = await asked(['w1', 'w3']);
    expect(shares.flat()).toHaveLength(300);
    expect(new Set(shares.flat()).size).toBe(300);
    await world.db.execute(sql`update tickmark.workers set lost_at = null where id = 'w2'`);
    expect((await asked(['w1', 'w3'])).flat().length).toBeLessThan(300);
  });

  test('B1, B9: of one that is frozen but seems alive the others watch all whose lease is half gone', async () => {
    const half = sql`update tickmark.tasks set lease_expires_at = clock_timestamp() + interval '7 seconds'`;
    const [first = []] = await asked(['w1']);
    await world.db.execute(half);
    const [again = []] = await asked(['w1']);
    expect(first.length).toBeLessThan(300);
    expect(again).toHaveLength(300);
    // That look has renewed them all: the others are done with it.
    expect((await asked(['w1']))[0]).toEqual(first);
  });

  test('B4: one that no row tells of watches all the same, beside those that are known', async () => {
    expect(new Set((await asked([...workers, 'w4'])).flat()).size).toBe(300);
    await world.db.execute(sql`delete from tickmark.workers`);
    expect((await asked(['w4']))[0]).toHaveLength(300);
  });
});
