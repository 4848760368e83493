import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import { until } from '@/test/until';
import { claimTasks } from './claim';
import { setEstimate } from './estimate';
import { writeCeilings } from './settings';
import { updateAgent } from './update-agent';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const limit = (agentId: string, changes: Parameters<typeof updateAgent>[1]['changes']) =>
  updateAgent(world.db, { agentId, changes, actor: 'user:test' });

/** Counts at each admission, in the database and in the claiming transaction itself, what is in flight by then. */
async function watchAdmissions(): Promise<void> {
  await world.db.execute(
    sql`create table if not exists tickmark.admissions (agent_id text, mine bigint, everyone bigint, rate numeric)`,
  );
  await world.db.execute(sql`truncate tickmark.admissions`);
  await world.db.execute(sql`
    create or replace function tickmark.watch_admission() returns trigger language plpgsql as $$
    begin
      insert into tickmark.admissions
      select c.agent_id,
        (select count(*) from tickmark.tasks t where t.status = 'processing' and t.agent_id = c.agent_id),
        (select count(*) from tickmark.tasks t where t.status = 'processing'),
        (select sum(rate) from tickmark.token_use(clock_timestamp(), null))
      from (select distinct agent_id from changed where status = 'processing') c;
      return null;
    end $$`);
  await world.db.execute(sql`
    create or replace trigger watch_admission after update on tickmark.tasks
    referencing new table as changed for each statement execute function tickmark.watch_admission()`);
}

async function worstAdmission(): Promise<{ mine: number; everyone: number; rate: number; n: number }> {
  await world.db.execute(sql`drop trigger watch_admission on tickmark.tasks`);
  const { rows } = await world.db.execute<{ mine: number; everyone: number; rate: number; n: number }>(sql`
    select max(mine)::int as mine, max(everyone)::int as everyone, max(rate)::float8 as rate, count(*)::int as n
    from tickmark.admissions`);
  if (!rows[0]) throw new Error('no admissions');
  return rows[0];
}

/** Eight claimers that finish at once whatever they get, until nothing waits any more. */
async function drain(total: number, batch = 5): Promise<number> {
  let done = 0;
  await Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      while (done < total) {
        const claimed = await world.claim(batch, { workerId: `w${worker}` });
        for (const task of claimed) {
          await world.succeed(task, { usage: { inputTokens: 0, outputTokens: 0 } });
          done++;
        }
      }
    }),
  );
  return done;
}

describe('throttle: concurrency', () => {
  it('M8, M11: eight claimers at once never exceed a limit of 3, at any admission, and use it', async () => {
    await limit('invoice', { maxConcurrentTasks: 3 });
    await world.enqueue(120);
    await watchAdmissions();
    expect(await drain(120)).toBe(120);
    expect((await worstAdmission()).mine).toBe(3);
  });

  it('M8: MAX_CONCURRENT_TASKS holds over all agents together', async () => {
    await writeCeilings(world.db, { maxConcurrentTasks: 4, maxTpm: null });
    await world.enqueue(40);
    await world.enqueue(40, { agentId: 'contract' });
    await world.enqueue(40, { agentId: 'general' });
    await watchAdmissions();
    expect(await drain(120)).toBe(120);
    expect((await worstAdmission()).everyone).toBe(4);
  });

  it('M8: the stricter of an agent limit and a ceiling rules, and others use what is left', async () => {
    await writeCeilings(world.db, { maxConcurrentTasks: 5, maxTpm: null });
    await limit('invoice', { maxConcurrentTasks: 2 });
    await world.enqueue(10);
    await world.enqueue(10, { agentId: 'contract' });
    const claimed = await world.claim(20);
    expect(claimed.filter((task) => task.agentId === 'invoice')).toHaveLength(2);
    expect(claimed).toHaveLength(5);
    expect(await world.claim(20)).toEqual([]);
  });

  it('B6, M8: counts rows, so a restart, a task set by hand and a limit that was lowered are all counted', async () => {
    await limit('invoice', { maxConcurrentTasks: 3 });
    const [byHand] = await world.enqueue(6);
    await world.db.execute(sql`update tickmark.tasks set status = 'processing' where id = ${byHand}::uuid`);
    expect(await world.claim(10)).toHaveLength(2);
    await limit('invoice', { maxConcurrentTasks: 1 });
    expect(await world.claim(10)).toEqual([]);
    await limit('invoice', { maxConcurrentTasks: 4 });
    expect(await world.claim(10)).toHaveLength(1);
    await limit('invoice', { maxConcurrentTasks: 0 });
    expect(await world.claim(10)).toEqual([]);
  });

  it('invariant 4: a superseded run keeps its slot until it is known to have stopped', async () => {
    await limit('invoice', { maxConcurrentTasks: 1 });
    const first = await world.running();
    await world.db.execute(
      sql`update tickmark.tasks set status = 'enqueued' where id = ${first.taskId}::uuid`,
    );
    expect((await world.attempt(first.attemptId)).status).toBe('superseded');
    expect(await world.claim(1)).toEqual([]);
    await world.db.execute(
      sql`update tickmark.task_attempts set run_stopped_at = now() where id = ${first.attemptId}::uuid`,
    );
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('invariant 4: a limit that is set while a claim is under way waits for it, and the next claim counts it', async () => {
    await world.enqueue(10);
    await world.db.transaction(async (tx) => {
      await tx.execute(sql`select * from tickmark.claim_tasks_v3('slow', 3, 15)`);
      const setting = limit('invoice', { maxConcurrentTasks: 3 });
      const next = setting.then(() => world.claim(10));
      const first = await Promise.race([
        setting.then(() => 'set'),
        tx.execute(sql`select pg_sleep(0.1)`).then(() => 'waits'),
      ]);
      expect(first).toBe('waits');
      void next.then((claimed) => expect(claimed).toEqual([]));
    });
    expect(await world.claim(10)).toEqual([]);
    expect(await world.inFlight()).toBe(3);
  });

  it('B17: one agent at its limit with a long backlog of high priority does not block the others', async () => {
    await limit('invoice', { maxConcurrentTasks: 1 });
    await world.enqueue(2000, { priority: 90 });
    const [small] = await world.enqueue(1, { agentId: 'contract', priority: 1 });
    expect(await world.claim(1)).toHaveLength(1);
    expect((await world.claim(5)).map((task) => task.taskId)).toEqual([small]);
  });
});

describe('throttle: token budget', () => {
  it('invariant 4: a task whose estimate grows while a claim decides is not admitted on the old one', async () => {
    await limit('invoice', { maxTpm: 1000 });
    const [large] = await world.enqueue(1, { estimate: { tokens: 900, seconds: 10 } });
    expect(await world.claim(1)).toHaveLength(1);
    await world.enqueue(1, { estimate: { tokens: 900, seconds: 10 } });
    const [small] = await world.enqueue(1, { estimate: { tokens: 50, seconds: 10 } });
    // The claim stamps what does not fit, after it has decided on the small one; there it waits for this test.
    await world.db.execute(sql`
      create function tickmark.wait_for_test() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(42);
        return new;
      end $$`);
    await world.db.execute(sql`
      create trigger wait_for_test before update of blocked_since on tickmark.tasks
      for each row when (new.blocked_since is not null) execute function tickmark.wait_for_test()`);
    try {
      const claiming = await world.db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(42)`);
        const claimed = world.claim(5);
        await until('the claim to wait', async () => {
          const { rows } = await tx.execute(sql`
            select from pg_locks
            where locktype = 'advisory' and objid = 42 and not granted
              and database = (select oid from pg_database where datname = current_database())`);
          return rows.length > 0;
        });
        await setEstimate(world.db, { taskId: small as string, tokens: 1_000_000, seconds: 10 });
        return { claimed };
      });
      expect(await claiming.claimed).toEqual([]);
    } finally {
      await world.db.execute(sql`drop trigger wait_for_test on tickmark.tasks`);
    }
    expect((await world.task(large as string)).status).toBe('processing');
    expect(await world.inFlight()).toBe(1);
  });

  it('M9, B18: eight claimers at once never reserve more than the budget', async () => {
    await limit('invoice', { maxTpm: 1000 });
    await world.enqueue(100, { estimate: { tokens: 300, seconds: 60 } });
    await watchAdmissions();
    expect(await drain(100)).toBe(100);
    const worst = await worstAdmission();
    expect(worst.rate).toBeLessThanOrEqual(1000);
    expect(worst.mine).toBe(3);
  });

  it('M9: MAX_TPM holds over all agents together', async () => {
    await writeCeilings(world.db, { maxConcurrentTasks: null, maxTpm: 1000 });
    await world.enqueue(50, { estimate: { tokens: 300, seconds: 60 } });
    await world.enqueue(50, { agentId: 'contract', estimate: { tokens: 200, seconds: 60 } });
    await watchAdmissions();
    expect(await drain(100)).toBe(100);
    expect((await worstAdmission()).rate).toBeLessThanOrEqual(1000);
  });

  it('M9: a task of several minutes takes its tokens spread over them, a short one all at once', async () => {
    await limit('invoice', { maxTpm: 1000 });
    await world.enqueue(3, { estimate: { tokens: 5000, seconds: 600 } });
    expect(await world.claim(10)).toHaveLength(2);
    await world.reset();
    await limit('invoice', { maxTpm: 1000 });
    await world.enqueue(3, { estimate: { tokens: 500, seconds: 1 } });
    expect(await world.claim(10)).toHaveLength(2);
  });

  it('M10: with both limits the stricter rules', async () => {
    await limit('invoice', { maxConcurrentTasks: 2, maxTpm: 1000 });
    await world.enqueue(5);
    expect(await world.claim(10)).toHaveLength(2);
    await world.reset();
    await limit('invoice', { maxConcurrentTasks: 4, maxTpm: 250 });
    await world.enqueue(5);
    expect(await world.claim(10)).toHaveLength(2);
  });

  it('N1, B19: settles what was reserved with what was used, and counts that for a minute, of failed ones too', async () => {
    await limit('invoice', { maxTpm: 1000 });
    const claimed = await world.claimed({ estimate: { tokens: 900, seconds: 5 } });
    await world.enqueue(1, { estimate: { tokens: 200, seconds: 5 } });
    expect(await world.claim(1)).toEqual([]);
    await world.fail(claimed, { code: 'password_required', retryable: false });
    await world.db.execute(sql`update tickmark.task_attempts set input_tokens = 700, output_tokens = 150`);
    expect(await world.claim(1)).toEqual([]);
    await world.db.execute(sql`update tickmark.task_attempts set input_tokens = 700, output_tokens = 100`);
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('spreads what a long run used over its run, and forgets it after a minute', async () => {
    await limit('invoice', { maxTpm: 1000 });
    const claimed = await world.claimed();
    await world.succeed(claimed, { usage: { inputTokens: 4000, outputTokens: 0 } });
    await world.enqueue(1, { estimate: { tokens: 600, seconds: 5 } });
    expect(await world.claim(1)).toEqual([]);
    await world.db.execute(
      sql`update tickmark.task_attempts set claimed_at = finished_at - interval '10 minutes'`,
    );
    expect(await world.claim(1)).toHaveLength(1);
    await world.reset();
    await limit('invoice', { maxTpm: 1000 });
    await world.succeed(await world.claimed(), { usage: { inputTokens: 4000, outputTokens: 0 } });
    await world.db.execute(sql`
      update tickmark.task_attempts set finished_at = now() - interval '61 s', run_stopped_at = now() - interval '61 s'`);
    await world.enqueue(1, { estimate: { tokens: 600, seconds: 5 } });
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('M9: with recent use switched off, only what is in flight counts', async () => {
    await limit('invoice', { maxTpm: 1000 });
    await world.succeed(await world.claimed(), { usage: { inputTokens: 4000, outputTokens: 0 } });
    await world.enqueue(1, { estimate: { tokens: 900, seconds: 5 } });
    expect(await world.claim(1)).toEqual([]);
    await world.db.execute(sql`update tickmark.settings set count_recent_tokens = false`);
    expect(await world.claim(1)).toHaveLength(1);
    await world.db.execute(sql`update tickmark.settings set count_recent_tokens = true`);
  });

  it('invariant 5: a smaller one passes the first that does not fit, for 30 s; a higher priority always may', async () => {
    await limit('invoice', { maxTpm: 1000 });
    await world.enqueue(1, { estimate: { tokens: 600, seconds: 5 } });
    await world.claim(1);
    const [big] = await world.enqueue(1, { estimate: { tokens: 500, seconds: 5 } });
    const [small] = await world.enqueue(1);
    expect((await world.claim(1)).map((task) => task.taskId)).toEqual([small]);
    expect((await world.task(big as string)).blocked_since).not.toBeNull();

    await world.db.execute(
      sql`update tickmark.tasks set blocked_since = blocked_since - interval '31 s' where id = ${big}::uuid`,
    );
    const [equal] = await world.enqueue(1);
    const [higher] = await world.enqueue(1, { priority: 60 });
    const [lower] = await world.enqueue(1, { priority: 40 });
    expect((await world.claim(10)).map((task) => task.taskId)).toEqual([higher]);
    // Only its own agent waits behind it.
    const [other] = await world.enqueue(1, { agentId: 'contract', priority: 1 });
    expect((await world.claim(10)).map((task) => task.taskId)).toEqual([other]);
    // And once there is room it goes first, the others right after it.
    await limit('invoice', { maxTpm: 5000 });
    expect((await world.claim(10)).map((task) => task.taskId)).toEqual([big, equal, lower]);
    expect((await world.task(big as string)).blocked_since).toBeNull();
  });

  it('invariant 5: one that waits for a ceiling over all holds back all agents after 30 s', async () => {
    await writeCeilings(world.db, { maxConcurrentTasks: null, maxTpm: 1000 });
    await world.enqueue(1, { estimate: { tokens: 600, seconds: 5 } });
    await world.claim(1);
    const [big] = await world.enqueue(1, { estimate: { tokens: 500, seconds: 5 } });
    expect(await world.claim(1)).toEqual([]);
    await world.db.execute(
      sql`update tickmark.tasks set blocked_since = blocked_since - interval '31 s' where id = ${big}::uuid`,
    );
    await world.enqueue(1, { agentId: 'contract' });
    const [higher] = await world.enqueue(1, { agentId: 'general', priority: 60 });
    expect((await world.claim(10)).map((task) => task.taskId)).toEqual([higher]);
  });

  it('invariant 5: one that alone exceeds the budget runs alone, what was used recently not counted', async () => {
    await limit('invoice', { maxTpm: 1000 });
    const first = await world.claimed();
    const [huge] = await world.enqueue(1, { estimate: { tokens: 50_000, seconds: 5 } });
    expect(await world.claim(1)).toEqual([]);
    await world.succeed(first, { usage: { inputTokens: 900, outputTokens: 0 } });
    await world.enqueue(1);
    expect((await world.claim(10)).map((task) => task.taskId)).toEqual([huge]);
    expect(await world.claim(10)).toEqual([]);
  });

  it('invariant 1: what a claim holds while the rule changes is released, too', async () => {
    await limit('invoice', { maxTpm: 1000, oversize: 'hold' });
    const [large] = await world.enqueue(1, { estimate: { tokens: 5000, seconds: 10 } });
    await world.db.transaction(async (tx) => {
      expect(await claimTasks(tx, { workerId: 'slow', limit: 1, leaseSeconds: 15 })).toEqual([]);
      const changing = limit('invoice', { oversize: 'run_alone' });
      const first = await Promise.race([
        changing.then(() => 'changed'),
        tx.execute(sql`select pg_sleep(0.1)`).then(() => 'waits'),
      ]);
      expect(first).toBe('waits');
    });
    await until('the change', async () => (await world.task(large as string)).parked === null);
    expect(await world.claim(1)).toMatchObject([{ taskId: large }]);
  });

  it('invariant 5: or waits for a person where the agent says `hold`, out of the way of all others', async () => {
    await limit('invoice', { maxTpm: 1000, oversize: 'hold' });
    const held = await world.enqueue(500, { estimate: { tokens: 50_000, seconds: 5 } });
    const [small] = await world.enqueue(1);
    let claimed = await world.claim(1);
    for (let i = 0; i < 5 && claimed.length === 0; i++) claimed = await world.claim(1);
    expect(claimed.map((task) => task.taskId)).toEqual([small]);
    expect((await world.task(held[0] as string)).parked).toBe('held');
    await limit('invoice', { maxTpm: 60_000 });
    expect((await world.task(held[0] as string)).parked).toBeNull();
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('B18: an attempt that vanished without a report counts as having used all that it reserved', async () => {
    await limit('invoice', { maxTpm: 1000 });
    const running = await world.running({ estimate: { tokens: 900, seconds: 5 } });
    await world.db.execute(sql`
      update tickmark.task_attempts set status = 'lost', finished_at = clock_timestamp(), run_stopped_at = clock_timestamp()
      where id = ${running.attemptId}::uuid`);
    await world.db.execute(
      sql`update tickmark.tasks set status = 'enqueued', current_attempt_id = null where id = ${running.taskId}::uuid`,
    );
    await world.enqueue(1, { estimate: { tokens: 200, seconds: 5 } });
    expect(await world.claim(1)).toEqual([]);
  });

  it('a task without any estimate of time, and one of the largest, break nothing', async () => {
    await limit('invoice', { maxTpm: 2_000_000_000 });
    await world.enqueue(1, { estimate: { tokens: Number.MAX_VALUE, seconds: Number.NaN } });
    await world.enqueue(1, { estimate: { tokens: -5, seconds: -1 } });
    expect(await world.claim(10)).toHaveLength(2);
  });
});
