import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

/** Inserts waiting tasks as a bulk upload or a script does: no statistics are gathered after it. */
const insert = (count: number, columns: { priority?: number; later?: boolean } = {}) =>
  world.db.execute(sql`
    insert into tickmark.tasks (agent_id, priority, claim_rank, estimated_tokens, available_at)
    select a.id, ${columns.priority ?? 50}::int,
      case when a.fair then i when a.ageing_seconds is not null
        then tickmark.ageing_rank(now(), ${columns.priority ?? 50}::int, a.ageing_seconds) else 0 end, 100,
      now() + case when ${columns.later ?? false} then interval '1 day' else interval '0' end
    from generate_series(1, ${count}::int) i
    join tickmark.agents a on a.id = (array['invoice', 'contract', 'general'])[1 + i % 3]`);

/** Pages that a claim of so many touches, in all that the function does; the claim itself is undone. */
async function pagesTouched(limit = 20): Promise<number> {
  let pages = 0;
  await world.db
    .transaction(async (tx) => {
      const { rows } = await tx.execute<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(sql`
        explain (analyze, buffers, timing off, format json) select * from tickmark.claim_tasks_v3('w1', ${limit}, 15)`);
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      pages = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
      tx.rollback();
    })
    .catch(() => {});
  return pages;
}

/** The second of two, when the session's catalogue caches are warm and dead index entries are marked. */
async function settled(): Promise<number> {
  await pagesTouched();
  return pagesTouched();
}

it('B14: a claim touches no more pages with 60,000 waiting than with 60, right after a bulk insert', async () => {
  await insert(60);
  const few = await settled();
  await insert(60_000, { priority: 40 });
  const many = await settled();
  expect(few).toBeGreaterThan(100);
  expect(many).toBeLessThan(few * 1.5);
});

it('B14: nor with 60,000 of a higher priority that are not due yet, nor under a token budget', async () => {
  await insert(60);
  const few = await settled();
  await insert(60_000, { priority: 90, later: true });
  expect(await settled()).toBeLessThan(few * 1.5);
  await world.db.execute(sql`update tickmark.agents set max_tpm = 1000000`);
  const budget = await settled();
  await insert(60_000, { priority: 40 });
  expect(await settled()).toBeLessThan(budget * 1.5 + 1000);
});

it('B14: nor with turns between extractions, with ageing, or where one agent has all of it', async () => {
  for (const order of [sql`fair = true, ageing_seconds = null`, sql`fair = false, ageing_seconds = 60`]) {
    await world.reset();
    await world.db.execute(sql`update tickmark.agents set ${order}`);
    await insert(60);
    const few = await settled();
    await insert(60_000, { priority: 40 });
    expect(await settled()).toBeLessThan(few * 1.5);
  }
});

it('B14: a single claim under a token budget looks at a few tasks, not at all that wait', async () => {
  await world.db.execute(sql`update tickmark.agents set max_tpm = 1000000`);
  await insert(30_000);
  await pagesTouched(1);
  const one = await pagesTouched(1);
  expect(one).toBeLessThan(1000);
});

it('B14: nor do attempts that have ended cost a claim anything under a limit, right after they were written', async () => {
  await world.db.execute(sql`update tickmark.agents set max_concurrent_tasks = 100`);
  await insert(60);
  const few = await settled();
  await world.db.execute(sql`
    insert into tickmark.task_attempts (task_id, agent_id, number, status, claimed_by, claimed_at, finished_at, run_stopped_at)
    select gen_random_uuid(), (array['invoice', 'contract', 'general'])[1 + i % 3], 1, 'succeeded', 'w', now() - interval '2 hours',
      now() - interval '1 hour', now() - interval '1 hour'
    from generate_series(1, 30000) i`);
  expect(await settled()).toBeLessThan(few * 1.5);
});
