import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { readOutageOfAgent } from '@/lib/queue/outage';
import { QueueWorld } from '@/test/queue-world';
import { previewBulk } from './bulk-preview';
import { readEtas } from './open-work';

const ENDED = 20_000;

let world: QueueWorld;
let extractionId: string;
beforeAll(async () => {
  world = await QueueWorld.create();
  extractionId = randomUUID();
  await world.db.execute(sql`
    insert into tickmark.extractions (id, name, submitted_by, agent_id) values (${extractionId}::uuid, 'x', 'user:1', 'invoice')`);
  await world.enqueue(1, { extractionId });
  await world.db.execute(sql`
    insert into tickmark.task_attempts (task_id, agent_id, number, status, claimed_by, model, claimed_at, finished_at, run_stopped_at)
    select gen_random_uuid(), 'invoice', 1, 'succeeded', 'w', 'tickmark-rules-1', ended - interval '9 s', ended, ended
    from (select now() - make_interval(secs => i / 10.0) as ended from generate_series(1, ${ENDED}::int) i) e`);
});
afterAll(() => world.close());

/** Rows of attempts that this connection has read so far; only differences mean anything. */
async function attemptsRead(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`
    select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname = 'task_attempts'`);
  return rows[0]?.n ?? 0;
}

const READERS: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  'whether its model is away': (tx) => readOutageOfAgent(tx, 'invoice'),
  'what a bulk retry may cost': (tx) =>
    previewBulk(tx, { action: 'cancel', filter: {}, preview: true }, null),
  'how long its open work takes': (tx) => readEtas(tx, [extractionId]),
};

it.each(Object.entries(READERS))(
  "B14: %s is read from an agent's newest attempts, not from all that have ended",
  async (_, read) => {
    const rowsRead = await withTransaction(world.db, async (tx) => {
      const before = await attemptsRead(tx);
      await read(tx);
      return (await attemptsRead(tx)) - before;
    });
    expect(rowsRead).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(2_000);
  },
);
