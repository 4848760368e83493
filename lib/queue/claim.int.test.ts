import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDb } from '@/lib/db/client';
import { QueueWorld } from '@/test/queue-world';
import { until } from '@/test/until';
import { claimTasks } from './claim';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

describe('claim', () => {
  it('has its source beside the TypeScript that calls it: the newest migration holds the same text', async () => {
    const source = await readFile('lib/queue/claim.sql', 'utf8');
    expect(await readFile('drizzle/0024_claim_tasks_v3.sql', 'utf8')).toBe(source);
  });

  it('M6: takes all from one agent where all that is most urgent is its, and each its part where it is not', async () => {
    const others = ['contract', 'general', 'financial-report'];
    for (const agentId of others) await world.enqueue(80, { agentId, priority: 40 });
    await world.enqueue(90, { priority: 90 });
    await world.enqueue(10, { agentId: 'contract', priority: 95 });
    const count = (tasks: readonly { agentId: string }[]) => {
      const counts: Record<string, number> = {};
      for (const { agentId } of tasks) counts[agentId] = (counts[agentId] ?? 0) + 1;
      return counts;
    };
    expect(count(await world.claim(80))).toEqual({ contract: 10, invoice: 70 });
    expect(count(await world.claim(60))).toEqual({ invoice: 20, contract: 40 });
  });

  it('M6: takes higher priorities first, and within one the oldest', async () => {
    const [low] = await world.enqueue(1, { priority: 10 });
    const [first, second] = await world.enqueue(2);
    const [third] = await world.enqueue(1);
    const [urgent] = await world.enqueue(1, { priority: 90 });
    const claimed = await world.claim(10);
    expect(claimed.map((task) => task.taskId)).toEqual([urgent, first, second, third, low]);
  });

  it('M6: keeps the order in which a bulk was given, over several agents', async () => {
    const ids = await world.enqueue(40);
    const others = await world.enqueue(10, { agentId: 'contract' });
    const order: string[] = [];
    for (let i = 0; i < 5; i++) order.push(...(await world.claim(10)).map((task) => task.taskId));
    expect(order).toEqual([...ids, ...others]);
  });

  it('M6: eight claimers at once never get the same task twice, and get all', async () => {
    const ids = await world.enqueue(200);
    const claims = await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        const got: string[] = [];
        for (;;) {
          const batch = await world.claim(7, { workerId: `w${worker}` });
          if (batch.length === 0) return got;
          got.push(...batch.map((task) => task.taskId));
        }
      }),
    );
    expect(claims.flat().sort()).toEqual([...ids].sort());
  });

  it('B7, M3, M7: writes the attempt, the lease and the history with the claim', async () => {
    const claimed = await world.claimed({ input: { x: 1 } });
    expect(claimed).toMatchObject({
      number: 1,
      agentId: 'invoice',
      agentVersion: 1,
      input: { x: 1 },
      maxRunSeconds: 1800,
    });
    expect(claimed.traceId).toMatch(/^[0-9a-f]{32}$/);
    const task = await world.task(claimed.taskId);
    expect(task).toMatchObject({
      status: 'processing',
      attempt_count: 1,
      locked_by: 'w1',
      current_attempt_id: claimed.attemptId,
    });
    expect(task.lease_seconds).toBeGreaterThan(10);
    expect(await world.attempts(claimed.taskId)).toMatchObject([
      { id: claimed.attemptId, status: 'claimed', claimed_by: 'w1', reserved_tokens: 100, reserved_tpm: 100 },
    ]);
    expect(await world.story(claimed.taskId)).toEqual(['>enqueued user', 'enqueued>processing worker']);
  });

  it("an agent's own lease outranks the worker's", async () => {
    await world.db.execute(sql`update tickmark.agents set lease_seconds = 300 where id = 'invoice'`);
    const { taskId } = await world.claimed();
    expect((await world.task(taskId)).lease_seconds).toBeGreaterThan(290);
  });

  it('leaves out what is not due, not inspected, paused or cooling, and only that', async () => {
    const [later] = await world.enqueue(1);
    await world.db.execute(
      sql`update tickmark.tasks set available_at = now() + interval '1 hour' where id = ${later}::uuid`,
    );
    await world.enqueue(1, { estimate: undefined, documentId: await world.document() });
    await world.enqueue(1, { agentId: 'contract' });
    await world.enqueue(1, { agentId: 'general' });
    await world.db.execute(sql`update tickmark.agents set paused = true where id = 'contract'`);
    await world.db.execute(
      sql`update tickmark.agents set cooling_until = now() + interval '1 hour' where id = 'general'`,
    );
    const [ready] = await world.enqueue(1, { priority: 1 });
    expect((await world.claim(10)).map((task) => task.taskId)).toEqual([ready]);
    await world.db.execute(sql`update tickmark.tasks set available_at = now() where id = ${later}::uuid`);
    await world.db.execute(
      sql`update tickmark.agents set paused = false, cooling_until = now() - interval '1 s'`,
    );
    expect(await world.claim(10)).toHaveLength(3);
  });

  it('claims only for the agents asked for', async () => {
    await world.enqueue(1);
    const [wanted] = await world.enqueue(1, { agentId: 'contract' });
    expect((await world.claim(10, { agentIds: ['contract', 'none'] })).map((task) => task.taskId)).toEqual([
      wanted,
    ]);
    expect(await world.claim(10, { agentIds: [] })).toEqual([]);
  });

  it('a limit of Infinity, 0 or a fraction is no accident', async () => {
    await world.enqueue(3);
    expect(await world.claim(0)).toEqual([]);
    expect(await world.claim(0.5)).toEqual([]);
    expect(await world.claim(Number.POSITIVE_INFINITY)).toHaveLength(3);
  });

  it('B17: a task that somebody left with a live attempt stops nobody else', async () => {
    const stuck = await world.claimed();
    // All fences are nulled by hand, so that no trigger can know of the attempt.
    await world.db.execute(sql`alter table tickmark.tasks disable trigger tasks_keep_legal`);
    await world.db.execute(sql`
      update tickmark.tasks set status = 'enqueued', current_attempt_id = null, lease_expires_at = null where id = ${stuck.taskId}::uuid`);
    await world.db.execute(sql`alter table tickmark.tasks enable trigger tasks_keep_legal`);
    const [fine] = await world.enqueue(1);
    expect((await world.claim(10)).map((task) => task.taskId)).toEqual([fine]);
  });

  it('of a worker that dies while it waits for a lock takes nothing', async () => {
    await world.enqueue(1);
    const lock = await world.db.$client.connect();
    await lock.query('begin; select pg_advisory_xact_lock(1953063786, 0)');
    const db = createDb(world.url, { applicationName: 'dying', max: 1 });
    const client = await db.$client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = sql`select wait_event_type from pg_stat_activity where pid = ${rows[0]?.pid}`;
    const claim = client.query("select * from tickmark.claim_tasks_v3('dying', 1, 15)").catch(() => {});
    await until('the claim to wait', async () => {
      const { rows } = await world.db.execute<{ wait_event_type: string }>(backend);
      return rows[0]?.wait_event_type === 'Lock';
    });
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    await claim;
    await until('its backend to end', async () => (await world.db.execute(backend)).rows.length === 0);
    await lock.query('commit');
    lock.release();
    client.release(true);
    await db.$client.end();
    expect(await world.claim(2)).toHaveLength(1);
  });

  it('counts after its lock whatever isolation the database has for a default', async () => {
    await world.enqueue(1);
    const name = new URL(world.url).pathname.slice(1);
    await world.db.execute(
      sql`alter database ${sql.identifier(name)} set default_transaction_isolation = 'serializable'`,
    );
    const db = createDb(world.url, { applicationName: 'elsewhere', max: 1 });
    const claimed = await claimTasks(db, { workerId: 'w1', limit: 1, leaseSeconds: 15 });
    await world.db.execute(sql`alter database ${sql.identifier(name)} reset default_transaction_isolation`);
    await db.$client.end();
    expect(claimed).toHaveLength(1);
  });

  it('refuses to run where it could not count what it has locked', async () => {
    await world.enqueue(1);
    const claim = world.db.transaction(
      (tx) => tx.execute(sql`select * from tickmark.claim_tasks_v3('w', 1, 15)`),
      {
        isolationLevel: 'repeatable read',
      },
    );
    await expect(claim).rejects.toThrow();
  });
});
