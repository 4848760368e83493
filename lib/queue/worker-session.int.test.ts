import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRunner, QueueWorld } from '@/test/queue-world';
import { until } from '@/test/until';
import { MAX_DISPATCH_CRASHES } from './recover';
import { succeedOnce } from './sweep';
import { registerWorker } from './worker-session';

let world: QueueWorld;
const sessions: pg.Client[] = [];
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());
afterEach(async () => {
  vi.useRealTimers();
  for (const session of sessions.splice(0)) await session.end().catch(() => {});
});

/** A worker's session, as the worker itself opens it. */
async function register(id: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: world.url });
  session.on('error', () => {});
  await session.connect();
  sessions.push(session);
  await registerWorker(session, { id, host: 'here', pid: 1, version: '0' });
  return session;
}

/** As when the process is killed: the server drops session and lock, and nothing was said before. */
async function kill(session: pg.Client): Promise<void> {
  const { rows } = await session.query('select pg_backend_pid() as pid');
  await world.db.execute(sql`select pg_terminate_backend(${rows[0].pid}::integer)`);
  await until('the session to end', async () => {
    const { rows: alive } = await world.db.execute(
      sql`select 1 from pg_stat_activity where pid = ${rows[0].pid}::integer`,
    );
    return alive.length === 0;
  });
}

const workerRow = async (id: string) => {
  const { rows } = await world.db.execute<{ lost: boolean; session_pid: number }>(
    sql`select lost_at is not null as lost, session_pid from tickmark.workers where id = ${id}`,
  );
  return rows[0];
};

async function succeed(workerId: string) {
  const dispatched: string[] = [];
  const { lost, report } = await succeedOnce(world.db, {
    runner: new FakeRunner(),
    workerId,
    leaseSeconds: 15,
    readOutbox: async () => null,
    hooks: { priceUsages: async (_, usages) => usages.map(() => null) },
    redispatch: async ({ attemptId }) => void dispatched.push(attemptId),
    onError: (error) => {
      throw error;
    },
  });
  return { lost, report, dispatched: dispatched.sort() };
}

describe('a worker whose session vanishes', () => {
  it('M8, B3: its undispatched claims are dispatched at once, as the same attempts, long before their leases end', async () => {
    const session = await register('dead');
    await register('heir');
    await world.enqueue(3);
    const claimed = await world.claim(3, { workerId: 'dead', leaseSeconds: 3600 });
    const [running] = claimed;
    if (!running) throw new Error('nothing was claimed');
    await world.dispatch(running);
    expect(await succeed('heir')).toMatchObject({ lost: [], dispatched: [] });
    await kill(session);
    const { lost, dispatched } = await succeed('heir');
    expect(lost).toEqual(['dead']);
    const undispatched = claimed.slice(1).map(({ attemptId }) => attemptId);
    expect(dispatched).toEqual(undispatched.sort());
    expect((await world.task(claimed[1]?.taskId ?? '')).locked_by).toBe('heir');
    expect((await world.task(claimed[1]?.taskId ?? '')).attempt_count).toBe(1);
    expect((await workerRow('dead'))?.lost).toBe(true);
    expect(await succeed('heir')).toMatchObject({ lost: [], dispatched: [] });
  });

  it('a claim that the server carries out for it only after it was found lost is taken over all the same', async () => {
    const session = await register('dead');
    await world.enqueue(1);
    await kill(session);
    expect(await succeed('heir')).toMatchObject({ lost: ['dead'], dispatched: [] });
    const [claimed] = await world.claim(1, { workerId: 'dead', leaseSeconds: 3600 });
    expect(await succeed('heir')).toMatchObject({ lost: [], dispatched: [claimed?.attemptId] });
  });

  it('B5: of eight who notice at once each claim is taken over by one', async () => {
    const session = await register('dead');
    await world.enqueue(20);
    await world.claim(20, { workerId: 'dead', leaseSeconds: 3600 });
    await kill(session);
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => succeed(`heir-${n}`)));
    const dispatched = all.flatMap((one) => one.dispatched);
    expect(dispatched).toHaveLength(20);
    expect(new Set(dispatched).size).toBe(20);
    expect(all.flatMap((one) => one.lost)).toEqual(['dead']);
  });

  it('B2: nothing else moves: a run in flight keeps its attempt, and a false hint does no harm', async () => {
    const session = await register('alive after all');
    await world.enqueue(2);
    const [running, claimed] = await world.claim(2, { workerId: 'alive after all' });
    if (!running || !claimed) throw new Error('two were to be claimed');
    await world.dispatch(running);
    await kill(session);
    expect((await succeed('heir')).dispatched).toEqual([claimed.attemptId]);
    // Both submit the same attempt, which gives the same run; both may record it.
    expect(await world.dispatch(claimed)).toBe('running');
    expect(await world.dispatch(claimed)).toBe('running');
    expect(await world.succeed(running)).toMatchObject({ outcome: 'applied' });
    expect(await world.succeed(claimed)).toMatchObject({ outcome: 'applied' });
    for (const { taskId } of [running, claimed]) expect(await world.attempts(taskId)).toHaveLength(1);
  });

  it('B24: who comes back registers anew and is there again; who leaves in order is never missed', async () => {
    const before = await register('back');
    const pid = (await workerRow('back'))?.session_pid;
    await kill(before);
    expect((await succeed('heir')).lost).toEqual(['back']);
    await register('back');
    expect(await workerRow('back')).toMatchObject({ lost: false });
    expect((await workerRow('back'))?.session_pid).not.toBe(pid);
    expect((await succeed('heir')).lost).toEqual([]);
  });

  it('whose heir dies in turn: the next one finds the claims under its name', async () => {
    const [first, second] = [await register('first'), await register('second')];
    await world.enqueue(1);
    const [claimed] = await world.claim(1, { workerId: 'first', leaseSeconds: 3600 });
    await kill(first);
    await succeed('second');
    await kill(second);
    expect((await succeed('third')).dispatched).toEqual([claimed?.attemptId]);
    expect(await world.attempts(claimed?.taskId ?? '')).toHaveLength(1);
  });

  it('B4: without any row of its worker a claim is found all the same, by its lease', async () => {
    const claimed = await world.claimed();
    await world.expireLeases();
    const dispatched: string[] = [];
    await world.sweep(new FakeRunner(), {
      redispatch: async ({ attemptId }) => void dispatched.push(attemptId),
    });
    expect(dispatched).toEqual([claimed.attemptId]);
  });

  it('B15: a task whose dispatch kills one worker after another is set aside, not tried for ever', async () => {
    await world.enqueue(1);
    const [claimed] = await world.claim(1, { workerId: 'victim 0', leaseSeconds: 3600 });
    if (!claimed) throw new Error('nothing was claimed');
    let dispatches = 0;
    for (let n = 0; n < MAX_DISPATCH_CRASHES; n += 1) {
      const session = await register(`victim ${n}`);
      await kill(session);
      dispatches += (await succeed(`victim ${n + 1}`)).dispatched.length;
    }
    expect(dispatches).toBe(MAX_DISPATCH_CRASHES - 1);
    expect(await world.task(claimed.taskId)).toMatchObject({ status: 'failed', error_code: 'run_lost' });
  });

  it('B36: a worker whose clock is an hour off neither takes a live lease nor gives one that is over', async () => {
    await world.enqueue(2);
    for (const hours of [1, -1]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
      const [claimed] = await world.claim(1, { workerId: 'skewed' });
      const dispatched: string[] = [];
      const redispatch = async ({ attemptId }: { attemptId: string }) => void dispatched.push(attemptId);
      await world.sweep(new FakeRunner(), { workerId: 'skewed', redispatch });
      expect(dispatched).toEqual([]);
      expect((await world.task(claimed?.taskId ?? '')).lease_seconds).toBeGreaterThan(10);
      await world.db.execute(
        sql`update tickmark.tasks set lease_expires_at = clock_timestamp() where id = ${claimed?.taskId}::uuid`,
      );
      await world.sweep(new FakeRunner(), { workerId: 'skewed', redispatch });
      expect(dispatched).toEqual([claimed?.attemptId]);
      vi.useRealTimers();
    }
  });

  it('a runner that is out of reach for minutes costs no attempt: only lost workers count', async () => {
    await register('w1');
    const claimed = await world.claimed();
    for (let n = 0; n < 3 * MAX_DISPATCH_CRASHES; n += 1) {
      await world.expireLeases();
      await world.sweep(new FakeRunner(), { workerId: 'w1', redispatch: async () => 'unknown' });
    }
    expect(await world.task(claimed.taskId)).toMatchObject({
      status: 'processing',
      current_attempt_id: claimed.attemptId,
      attempt_count: 1,
    });
  });
});
