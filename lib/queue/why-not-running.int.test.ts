import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import { recordFull } from './dispatch';
import { enqueueTask } from './enqueue';
import { writeCeilings } from './settings';
import { updateAgent } from './update-agent';
import { factsQuery, whyNotRunning } from './why-not-running';
import { beat } from './worker-heartbeat';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  await world.db.execute(
    sql`insert into tickmark.workers (id, host, pid, version) values ('w1', 'here', 1, '0')`,
  );
});

const limit = (changes: Parameters<typeof updateAgent>[1]['changes']) =>
  updateAgent(world.db, { agentId: 'invoice', changes, actor: 'user:test' });

/** Why the oldest waiting task does not run. */
async function why(): Promise<string | null | undefined> {
  const { rows } = await world.db.execute<{ id: string }>(sql`
    select id from tickmark.tasks where status = 'enqueued' order by created_at, id limit 1`);
  const id = rows[0]?.id ?? '';
  return (await whyNotRunning(world.db, [id])).get(id);
}

describe('N6: why is it not running?', () => {
  it('no worker', async () => {
    await world.enqueue(1);
    await world.db.execute(sql`update tickmark.workers set heartbeat_at = now() - interval '1 minute'`);
    expect(await why()).toBe('No worker is running; start one and it goes on by itself.');
  });

  it('B37: a worker that was found lost is none at once, one that is heard of after that is', async () => {
    await world.enqueue(1);
    await world.db.execute(sql`update tickmark.workers set lost_at = clock_timestamp()`);
    expect(await why()).toBe('No worker is running; start one and it goes on by itself.');
    await beat(world.db, { id: 'w1', host: 'here', pid: 1, version: '0' });
    expect(await why()).toBe('It is next; it starts as soon as a run slot is free.');
  });

  it('B37: the only worker, killed, is missed after three heartbeats, as its session is gone', async () => {
    await world.enqueue(1);
    const quietFor = (seconds: number) =>
      world.db.execute(
        sql`update tickmark.workers set heartbeat_at = now() - make_interval(secs => ${seconds}::int)`,
      );
    const { rows } = await world.db.execute<{ pid: number }>(
      sql`update tickmark.workers set session_pid = pg_backend_pid() returning session_pid as pid`,
    );
    await quietFor(10);
    expect(await why()).toBe('It is next; it starts as soon as a run slot is free.');
    await world.db.execute(sql`update tickmark.workers set session_pid = 2147483647`);
    expect(rows[0]?.pid).toBeGreaterThan(0);
    expect(await why()).toBe('No worker is running; start one and it goes on by itself.');
    await quietFor(6);
    expect(await why()).toBe('It is next; it starts as soon as a run slot is free.');
  });

  it('not inspected yet', async () => {
    const documentId = await world.document();
    await enqueueTask(world.db, { agentId: 'invoice', documentId, priority: 50, actor: 'user:1' });
    expect(await why()).toBe('Its document is about to be inspected.');
  });

  it('paused', async () => {
    await world.enqueue(1);
    await limit({ paused: true });
    expect(await why()).toBe('The agent "Invoice" is paused: it starts nothing new until it is resumed.');
  });

  it('waiting for its next try', async () => {
    await world.fail(await world.running(), { code: 'rate_limited', retryAfterSeconds: 600 });
    expect(await why()).toMatch(/^It is tried again in 1[0-3] min after rate_limited\.$/);
  });

  it('held as too large for the budget', async () => {
    await limit({ maxTpm: 1000, oversize: 'hold' });
    await world.enqueue(1, { estimate: { tokens: 50_000, seconds: 1 } });
    await world.claim(1);
    expect(await why()).toBe(
      'It needs about 50,000 tokens a minute, more than the whole budget of 1,000; raise the budget, or let such tasks run alone.',
    );
  });

  it('cooling down', async () => {
    await world.enqueue(1);
    await world.db.execute(
      sql`update tickmark.agents set cooling_until = now() + interval '30 s' where id = 'invoice'`,
    );
    expect(await why()).toMatch(
      /^The agent "Invoice" waits (29|30) s because the model asked for fewer requests\.$/,
    );
    await world.db.execute(sql`update tickmark.agents set cooling_until = null where id = 'invoice'`);
    const [run] = await world.claim(1);
    await recordFull(world.db, {
      attemptId: run?.attemptId ?? '',
      retryAfterSeconds: 60,
      everywhere: true,
      workerId: 'w1',
    });
    await world.makeDue();
    expect(await why()).toMatch(
      /^The agent "Invoice" waits \d+ (s|min) because the runner takes no more runs\.$/,
    );
    await world.db.execute(sql`update tickmark.agents set cooling_until = null where id = 'invoice'`);
    const [refused] = await world.claim(1);
    await recordFull(world.db, {
      attemptId: refused?.attemptId ?? '',
      retryAfterSeconds: 60,
      everywhere: true,
      reason: 'grant CAN MANAGE RUN on the job',
      workerId: 'w1',
    });
    await world.makeDue();
    expect(await why()).toMatch(/takes no more runs \(grant CAN MANAGE RUN on the job\)\.$/);
  });

  it('at a limit', async () => {
    await limit({ maxConcurrentTasks: 1 });
    await world.enqueue(2);
    await world.claim(2);
    expect(await why()).toBe('The agent "Invoice" is at its limit: 1 of 1 tasks running.');
    await limit({ maxConcurrentTasks: null });
    await writeCeilings(world.db, { maxConcurrentTasks: 1, maxTpm: null });
    expect(await why()).toBe('All agents together are at the limit: 1 of 1 tasks running.');
  });

  it('budget used', async () => {
    await limit({ maxTpm: 1000 });
    await world.enqueue(2, { estimate: { tokens: 600, seconds: 1 } });
    await world.claim(2);
    expect(await why()).toBe(
      'The agent "Invoice" has 600 of 1,000 tokens a minute in use; this task needs 600.',
    );
    await limit({ maxTpm: null });
    await writeCeilings(world.db, { maxConcurrentTasks: null, maxTpm: 700 });
    expect(await why()).toBe(
      'All agents together have 600 of 700 tokens a minute in use; this task needs 600.',
    );
  });

  it('tasks ahead, or none', async () => {
    const [first, second, third] = await world.enqueue(3);
    const reasons = await whyNotRunning(world.db, [first, second, third] as string[]);
    expect([...reasons.values()]).toEqual([
      'It is next; it starts as soon as a run slot is free.',
      '1 task is ahead of it.',
      '2 tasks are ahead of it.',
    ]);
    await world.enqueue(1100, { priority: 90 });
    expect(await why()).toBe('More than 1,000 tasks are ahead of it.');
  });

  it('paused, draining and drained, in the words that the agent has on its page', async () => {
    await world.enqueue(2);
    const running = await world.claim(1);
    await limit({ draining: true });
    const nothingNew = 'it starts nothing new until it is resumed.';
    expect(await why()).toBe(`The agent "Invoice" is paused and draining: ${nothingNew}`);
    for (const task of running) await world.succeed(task);
    expect(await why()).toBe(`The agent "Invoice" is paused and drained: ${nothingNew}`);
    await limit({ draining: false, paused: true });
    expect(await why()).toBe(`The agent "Invoice" is paused: ${nothingNew}`);
  });

  it('a limit that a 429 has lowered, and that it comes back', async () => {
    await limit({ maxConcurrentTasks: 8 });
    await world.enqueue(2);
    await world.claim(1);
    await world.db.execute(
      sql`update tickmark.agents set lowered_concurrent_tasks = 1, lowered_at = now() where id = 'invoice'`,
    );
    expect(await why()).toBe(
      'The agent "Invoice" is at its lowered limit: 1 of 1 tasks running; the model asked for fewer requests, and the limit is raised again step by step.',
    );
    await limit({ maxConcurrentTasks: null, maxTpm: 1000 });
    await world.db.execute(
      sql`update tickmark.agents set lowered_concurrent_tasks = null, lowered_tpm = 150 where id = 'invoice'`,
    );
    expect(await why()).toBe(
      'The agent "Invoice" has 100 of 150 tokens a minute in use; this task needs 100; the model asked for fewer requests, and the limit is raised again step by step.',
    );
  });

  it('tasks ahead in turns, or passed by waiting, in the order in which they are claimed', async () => {
    const many = await world.enqueue(40);
    await limit({ fair: true });
    const { rows } = await world.db.execute<{ id: string }>(sql`
      insert into tickmark.extractions (name, agent_id, submitted_by) values ('x', 'invoice', 'user:1') returning id`);
    const [one] = await world.enqueue(1, { extractionId: rows[0]?.id });
    const reasons = await whyNotRunning(world.db, [one as string, many[39] as string]);
    expect([...reasons.values()]).toEqual([
      '1 task is ahead of it; extractions of the same priority take turns.',
      '40 tasks are ahead of it; extractions of the same priority take turns.',
    ]);
    await limit({ fair: false, ageingSeconds: 600 });
    expect((await whyNotRunning(world.db, [one as string])).get(one as string)).toBe(
      '40 tasks are ahead of it; it gains a step of priority with every 10 min of waiting.',
    );
  });

  it('B26: a hundred sentences cost the same with 100,000 ahead as with 1,500, right after a bulk insert', async () => {
    /** Pages touched for the facts about 100 tasks of low priority. */
    const pages = async (ahead: number) => {
      await world.db.execute(sql`
        insert into tickmark.tasks (agent_id, priority, estimated_tokens)
        select (array['invoice', 'contract', 'general'])[1 + i % 3], 90, 100 from generate_series(1, ${ahead}::int) i`);
      const asked = await world.enqueue(100, { priority: 1 });
      const explained = () =>
        world.db.execute<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
          sql`explain (analyze, buffers, timing off, format json) ${factsQuery(asked)}`,
        );
      await explained();
      const plan = (await explained()).rows[0]?.['QUERY PLAN'][0]?.Plan;
      expect(new Set((await whyNotRunning(world.db, asked)).values())).toEqual(
        new Set(['More than 1,000 tasks are ahead of it.']),
      );
      return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    };
    const few = await pages(4500);
    const many = await pages(100_000);
    expect(few).toBeGreaterThan(100);
    expect(few).toBeLessThan(10_000);
    // Some pages of a deeper index more; 3,000 rows are read in both.
    expect(many).toBeLessThan(few + 1000);
  });

  it('answers many at once; nothing for one that runs or is final, and no entry for one that is not there', async () => {
    const run = await world.running();
    const done = await world.running();
    await world.succeed(done);
    const reasons = await whyNotRunning(world.db, [run.taskId, done.taskId, randomUUID()]);
    expect(reasons).toEqual(
      new Map([
        [run.taskId, null],
        [done.taskId, null],
      ]),
    );
    expect(await whyNotRunning(world.db, [])).toEqual(new Map());
  });
});
