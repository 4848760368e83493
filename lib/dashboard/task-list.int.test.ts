import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TaskListQuery, TaskSort } from '@/lib/contract/api-requests';
import type { Tx } from '@/lib/db/client';
import { QueueWorld } from '@/test/queue-world';
import { readTaskList } from './task-list';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());

it('B45: a list reads no large column: it works, in every order, for a role that may not see them', async () => {
  const run = await world.running();
  await world.succeed(run, {
    result: {
      confidence: 0.9,
      documentType: 'invoice',
      warnings: [{ code: 'x', message: 'y'.repeat(2_000) }],
    },
  });
  const role = `lister_${randomBytes(4).toString('hex')}`;
  const psql = (statement: string) => world.db.execute(sql.raw(statement));
  await psql(`create role ${role}`);
  try {
    await psql(`grant ${role} to current_user with set true`);
    await psql(`grant usage on schema tickmark to ${role}`);
    await psql(`grant select on all tables in schema tickmark to ${role}`);
    await psql(`grant execute on all functions in schema tickmark to ${role}`);
    // Of the tables with large columns all columns but these.
    for (const [table, hidden] of [
      ['tasks', ['result', 'input']],
      ['task_attempts', ['result', 'usage']],
    ] as const) {
      const { rows } = await world.db.execute<{ name: string }>(sql`
        select attname as name from pg_attribute
        where attrelid = ${`tickmark.${table}`}::regclass and attnum > 0 and not attisdropped
          and attname <> all(${sql.param([...hidden])}::text[])`);
      await psql(`revoke select on tickmark.${table} from ${role}`);
      await psql(`grant select (${rows.map(({ name }) => name).join(', ')}) on tickmark.${table} to ${role}`);
    }
    const asLister = <T>(read: (tx: Tx) => Promise<T>) =>
      world.db.transaction(async (tx) => {
        await tx.execute(sql.raw(`set local role ${role}`));
        return read(tx);
      });
    for (const sort of TaskSort.options) {
      const { tasks } = await asLister((tx) => readTaskList(tx, TaskListQuery.parse({ sort })));
      expect(tasks).toHaveLength(1);
    }
    await expect(asLister((tx) => tx.execute(sql`select result from tickmark.tasks`))).rejects.toThrow();
  } finally {
    await psql(`drop owned by ${role}`);
    await psql(`drop role ${role}`);
  }
});
