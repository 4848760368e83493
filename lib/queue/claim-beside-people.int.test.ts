import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';

let world: QueueWorld;
let psql: pg.Client;
beforeAll(async () => {
  world = await QueueWorld.create();
  psql = new pg.Client({ connectionString: world.url });
  await psql.connect();
});
afterAll(async () => {
  await psql.end();
  await world.close();
});
beforeEach(() => world.reset());

describe('beside what a person does in psql a claim', () => {
  it('B17: leaves out the agent whose limit somebody is changing in a transaction that stays open, and no other', async () => {
    const [mine] = await world.enqueue(1);
    const [other] = await world.enqueue(1, { agentId: 'contract' });
    for (const change of ['max_concurrent_tasks = 3', 'paused = true']) {
      await psql.query(`begin; update tickmark.agents set ${change} where id = 'invoice'`);
      const claimed = await world.claim(5);
      expect(claimed.map(({ taskId }) => taskId)).toEqual(change.startsWith('max') ? [other] : []);
      await psql.query('rollback');
    }
    expect((await world.claim(5)).map(({ taskId }) => taskId)).toEqual([mine]);
  });

  it('B17: takes nothing while somebody is changing a ceiling, and does not stand still for it', async () => {
    await world.enqueue(1);
    await psql.query('begin; update tickmark.settings set max_concurrent_tasks = 3');
    expect(await world.claim(1)).toEqual([]);
    await psql.query('rollback');
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('lets changes of all agents at once, and of agents and ceilings in one transaction, get their way', async () => {
    await world.db.execute(sql`update tickmark.agents set max_concurrent_tasks = 1`);
    for (const agentId of ['invoice', 'contract', 'general', 'financial-report', 'auto']) {
      await world.enqueue(40, { agentId });
    }
    let isOver = false;
    const claimers = Array.from({ length: 4 }, async () => {
      while (!isOver) await world.claim(1);
    });
    for (let n = 0; n < 6; n += 1) {
      await psql.query('update tickmark.agents set max_concurrent_tasks = max_concurrent_tasks + 1');
      await psql.query(`
        begin;
        update tickmark.agents set max_concurrent_tasks = max_concurrent_tasks + 1 where id = 'general';
        update tickmark.settings set max_concurrent_tasks = coalesce(max_concurrent_tasks, 100) + 1;
        commit`);
    }
    isOver = true;
    await Promise.all(claimers);
  });

  it('B17: claims on beside a task whose counters somebody has set to their end', async () => {
    const [worn, fresh] = await world.enqueue(2);
    await psql.query(
      `update tickmark.tasks set attempt_count = 1000000, last_attempt_number = 1000000, max_attempts = 1000000 where id = $1`,
      [worn],
    );
    expect((await world.claim(2)).map(({ taskId }) => taskId)).toEqual([worn, fresh]);
  });

  it('finds a task that is no document although somebody took its estimate away', async () => {
    const [id] = await world.enqueue(1);
    await psql.query('update tickmark.tasks set estimated_tokens = null where id = $1', [id]);
    expect((await world.claim(1)).map(({ taskId }) => taskId)).toEqual([id]);
  });
});
