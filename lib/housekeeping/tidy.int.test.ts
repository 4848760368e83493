import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBulk, workBulk } from '@/lib/queue/bulk';
import { beat } from '@/lib/queue/worker-heartbeat';
import { QueueWorld } from '@/test/queue-world';
import { tidyOnce } from './tidy';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  await world.db.execute(sql`
    truncate tickmark.bulk_operations, tickmark.bulk_operation_tasks, tickmark.bulk_undo, tickmark.idempotency_keys`);
});

const count = async (table: string) => {
  const { rows } = await world.db.execute<{ n: number }>(
    sql`select count(*)::int as n from ${sql.raw(`tickmark.${table}`)}`,
  );
  return rows[0]?.n;
};

async function bulk(done: boolean): Promise<string> {
  await world.enqueue(3);
  const { id } = await openBulk(world.db, {
    action: 'cancel',
    priority: null,
    actor: 'user:1',
    tasks: sql`select id from tickmark.tasks where status = 'enqueued'`,
  });
  while (done && (await workBulk(world.db)) === 'worked');
  return id;
}

const age = (table: string, column: string, days: number) =>
  world.db.execute(
    sql`update ${sql.raw(`tickmark.${table}`)} set ${sql.raw(column)} = clock_timestamp() - make_interval(days => ${days}::int)`,
  );

describe('B47: rows that only help', () => {
  it('of bulk operations those go that ended long ago, with what they left undone', async () => {
    const done = await bulk(true);
    const givenUp = await bulk(false);
    await world.db.execute(
      sql`update tickmark.bulk_operations set status = 'failed', finished_at = now() where id = ${givenUp}::uuid`,
    );
    expect(await tidyOnce(world.db, { days: 30 })).toEqual({ removed: {}, isMore: false });
    await age('bulk_operations', 'finished_at', 31);
    const open = await bulk(false);
    const left = await count('bulk_operation_tasks');
    expect((await tidyOnce(world.db, { days: 30 })).removed).toEqual({
      bulkTasks: 3,
      bulkUndo: 3,
      bulkOperations: 2,
    });
    expect(await count('bulk_operation_tasks')).toBe((left ?? 0) - 3);
    const { rows } = await world.db.execute<{ id: string }>(sql`select id from tickmark.bulk_operations`);
    expect(rows).toEqual([{ id: open }]);
    expect(done).not.toBe(open);
    // Nothing of it is history: the tasks and what happened to them stay.
    expect(await count('tasks')).toBe(9);
    expect(await count('task_events')).toBeGreaterThan(0);
  });

  it('answers to an Idempotency-Key, workers that were killed, and versions of estimates go in batches', async () => {
    await world.db.execute(sql`
      insert into tickmark.idempotency_keys (scope, key, request_hash, created_at)
      select 's', 'k' || i, 'h', now() - make_interval(days => i) from generate_series(1, 60) i`);
    for (const id of ['w1', 'w2']) await beat(world.db, { id, host: 'h', pid: 1, version: '0' });
    await world.db.execute(
      sql`update tickmark.workers set heartbeat_at = now() - interval '25 hours' where id = 'w1'`,
    );
    await world.db.execute(sql`
      insert into tickmark.agent_estimates (agent_id, version, samples, tokens_per_page, seconds_per_page,
        text_token_factor, text_seconds_factor, scan_token_factor, scan_seconds_factor)
      select a.id, i, 5, 1, 1, 1, 1, 1, 1
      from unnest(array['invoice', 'contract']) as a (id), generate_series(1, 130) i`);
    await world.db.execute(
      sql`update tickmark.agents set estimate_version = 130 where id in ('invoice', 'contract')`,
    );
    const first = await tidyOnce(world.db, { days: 30, batch: 20 });
    expect(first).toEqual({ removed: { idempotencyKeys: 20, workers: 1, estimates: 20 }, isMore: true });
    while ((await tidyOnce(world.db, { days: 30, batch: 20 })).isMore);
    expect(await count('idempotency_keys')).toBe(29);
    expect(await count('workers')).toBe(1);
    const { rows } = await world.db.execute<{ oldest: number; newest: number; n: number }>(sql`
      select min(version)::int as oldest, max(version)::int as newest, count(*)::int as n from tickmark.agent_estimates`);
    expect(rows[0]).toEqual({ oldest: 31, newest: 130, n: 200 });
  });

  it('one of eight workers that come at once does it', async () => {
    await bulk(true);
    await age('bulk_operations', 'finished_at', 31);
    const reports = await Promise.all(Array.from({ length: 8 }, () => tidyOnce(world.db, { days: 30 })));
    expect(reports.map(({ removed }) => removed.bulkOperations ?? 0).reduce((a, b) => a + b)).toBe(1);
  });
});
