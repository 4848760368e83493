import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BulkAction } from '@/lib/contract/api-bulk';
import { createDb, type Db } from '@/lib/db/client';
import { QueueWorld } from '@/test/queue-world';
import { openBulk, workBulk } from './bulk';
import { cancelTask } from './cancel';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  await world.db.execute(sql`truncate tickmark.bulk_operations, tickmark.bulk_operation_tasks`);
});

const actor = 'user:1';
const everything = sql`select t.id from tickmark.tasks t order by t.priority desc, t.created_at, t.id`;

const open = (action: BulkAction, priority: number | null = null, tasks = everything) =>
  openBulk(world.db, { action, priority, actor, tasks });

async function finish(batch?: number): Promise<number> {
  let batches = 0;
  while ((await workBulk(world.db, { batch })) === 'worked') batches++;
  return batches;
}

async function operation(id: string) {
  const { rows } = await world.db.execute<{
    status: string;
    total: number;
    done: number;
    changed: number;
    error_message: string | null;
  }>(sql`
    select status, total, done, changed, error_message from tickmark.bulk_operations where id = ${id}::uuid`);
  return rows[0];
}

async function countByStatus(): Promise<Record<string, number>> {
  const { rows } = await world.db.execute<{ status: string; n: number }>(
    sql`select status, count(*)::int as n from tickmark.tasks group by 1`,
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

describe('a bulk operation', () => {
  it('cancels what waits, asks what runs to stop, leaves what is final, and counts each', async () => {
    const running = await world.running();
    const asked = await world.running();
    await cancelTask(world.db, { taskId: asked.taskId, actor: 'user:2' });
    const done = await world.running();
    await world.succeed(done);
    const [waiting] = await world.enqueue(1);
    const [byHand] = await world.enqueue(1);
    await world.db.execute(
      sql`update tickmark.tasks set status = 'processing' where id = ${byHand as string}::uuid`,
    );
    const { id, total } = await open('cancel');
    expect(total).toBe(5);
    expect(await finish()).toBe(1);
    expect(await operation(id)).toMatchObject({ status: 'done', total: 5, done: 5, changed: 3 });
    expect((await world.task(waiting as string)).status).toBe('cancelled');
    expect((await world.task(byHand as string)).status).toBe('cancelled');
    expect((await world.task(done.taskId)).status).toBe('completed');
    expect(await world.task(running.taskId)).toMatchObject({ status: 'processing' });
    expect((await world.task(running.taskId)).cancel_requested_at).not.toBeNull();
    expect(await world.story(waiting as string)).toEqual(['>enqueued user', 'enqueued>cancelled user']);
    expect((await world.story(running.taskId)).at(-1)).toBe('processing>processing user');
    expect((await world.story(asked.taskId)).filter((line) => line.startsWith('processing>'))).toHaveLength(
      1,
    );
  });

  it('retries what failed or was cancelled with a new budget above bulk, and nothing else', async () => {
    const failed = await world.running();
    await world.fail(failed, { retryable: false });
    const [cancelled, waiting] = await world.enqueue(2);
    await cancelTask(world.db, { taskId: cancelled as string, actor });
    const { id } = await open('retry');
    await finish();
    expect(await operation(id)).toMatchObject({ status: 'done', total: 3, done: 3, changed: 2 });
    expect(await world.task(failed.taskId)).toMatchObject({
      status: 'enqueued',
      priority: 80,
      max_attempts: 4,
      error_code: null,
    });
    expect(await world.task(waiting as string)).toMatchObject({ priority: 50, max_attempts: 3 });
    expect((await world.claim(3)).map(({ taskId }) => taskId).at(-1)).toBe(waiting);
  });

  it('reprioritises what is open, and says so in the history of each that changed', async () => {
    const [a, b] = await world.enqueue(2);
    const [same] = await world.enqueue(1, { priority: 90 });
    const { id } = await open('reprioritise', 90);
    await finish();
    expect(await operation(id)).toMatchObject({ done: 3, changed: 2 });
    for (const task of [a, b, same]) expect((await world.task(task as string)).priority).toBe(90);
    expect(await world.story(same as string)).toHaveLength(1);
    expect(await world.story(a as string)).toHaveLength(2);
  });

  it('is frozen when it is asked for: what comes later is not caught, what is gone is skipped', async () => {
    const [gone] = await world.enqueue(3);
    const { id } = await open('cancel');
    await world.enqueue(4);
    await world.db.execute(sql`delete from tickmark.task_events where task_id = ${gone as string}::uuid`);
    await world.db.execute(sql`delete from tickmark.tasks where id = ${gone as string}::uuid`);
    await finish();
    expect(await operation(id)).toMatchObject({ status: 'done', total: 3, done: 3, changed: 2 });
    expect(await countByStatus()).toEqual({ cancelled: 2, enqueued: 4 });
  });

  it('on nothing is done at once', async () => {
    const { id } = await open('cancel');
    expect(await operation(id)).toMatchObject({ status: 'done', total: 0, done: 0 });
    expect(await workBulk(world.db)).toBe('idle');
  });

  it('works batch by batch, and operations take turns, so that a small one does not wait for a large one', async () => {
    await world.enqueue(40);
    const large = await open('reprioritise', 60);
    await workBulk(world.db, { batch: 10 });
    expect(await operation(large.id)).toMatchObject({ status: 'running', done: 10, changed: 10 });
    const small = await open('reprioritise', 61, sql`select id from tickmark.tasks limit 1`);
    await workBulk(world.db, { batch: 10 });
    expect(await operation(small.id)).toMatchObject({ status: 'done' });
    expect(await finish(10)).toBe(3);
    const { rows } = await world.db.execute(sql`select 1 from tickmark.bulk_operation_tasks`);
    expect(rows).toHaveLength(0);
  });

  it('by many workers at once is carried out once', async () => {
    await world.enqueue(300);
    const first = await open('cancel', null, sql`select id from tickmark.tasks order by id limit 200`);
    const second = await open('cancel', null, sql`select id from tickmark.tasks order by id desc limit 200`);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while ((await workBulk(world.db, { batch: 7 })) === 'worked');
      }),
    );
    await finish();
    const counts = [await operation(first.id), await operation(second.id)];
    expect(counts.map((op) => [op?.status, op?.done])).toEqual([
      ['done', 200],
      ['done', 200],
    ]);
    expect((counts[0]?.changed ?? 0) + (counts[1]?.changed ?? 0)).toBe(300);
    const { rows } = await world.db.execute<{ n: number }>(
      sql`select count(*)::int as n from tickmark.task_events where to_status = 'cancelled'`,
    );
    expect(rows[0]?.n).toBe(300);
  });

  it('is given up after five errors at the same tasks; others go on meanwhile', async () => {
    const [bad] = await world.enqueue(1);
    const [good] = await world.enqueue(1);
    await world.db.execute(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
    await world.db.execute(
      sql.raw(
        `create trigger refuse before update on tickmark.tasks for each row when (old.id = '${bad}') execute function refuse()`,
      ),
    );
    try {
      const broken = await open('cancel', null, sql`select ${bad as string}::uuid as id`);
      await expect(workBulk(world.db)).rejects.toThrow();
      const sound = await open('cancel', null, sql`select ${good as string}::uuid as id`);
      expect(await workBulk(world.db)).toBe('worked');
      expect(await operation(sound.id)).toMatchObject({ status: 'done', changed: 1 });
      for (let n = 0; n < 4; n++) await expect(workBulk(world.db)).rejects.toThrow();
      expect(await operation(broken.id)).toMatchObject({
        status: 'failed',
        done: 0,
        error_message: expect.stringContaining('What is done stays done'),
      });
      expect(await workBulk(world.db)).toBe('idle');
    } finally {
      await world.db.execute(sql`drop trigger refuse on tickmark.tasks`);
      await world.db.execute(sql`drop function refuse()`);
    }
  });
});

it('C8: 100,000 tasks are cancelled in a bounded number of statements, and the claim goes on meanwhile', async () => {
  const count = 100_000;
  await world.db.execute(sql`
    insert into tickmark.tasks (agent_id, priority, estimated_tokens)
    select 'invoice', 50, 100 from generate_series(1, ${count}::int)`);
  await world.enqueue(3_000, { agentId: 'contract', priority: 40 });
  const { id, total } = await open(
    'cancel',
    null,
    sql`select id from tickmark.tasks where agent_id = 'invoice'`,
  );
  expect(total).toBe(count);
  const counted = countingDb();
  let isOver = false;
  let batches = 0;
  const worker = (async () => {
    while ((await workBulk(counted.db)) === 'worked') batches++;
    isOver = true;
  })();
  const claims: number[] = [];
  let overtaken = 0;
  while (!isOver && claims.length < 1_000) {
    claims.push((await world.claim(2, { agentIds: ['contract'] })).length);
    // What the operation has not reached yet may still be claimed; then its run is asked to stop.
    if (claims.length % 20 === 0) overtaken += (await world.claim(1, { agentIds: ['invoice'] })).length;
  }
  await worker;
  await counted.db.$client.end();
  expect(batches).toBe(count / 500);
  // begin, turn, batch, lock, move, progress, commit; a cancel request on top where a claim was faster.
  expect(counted.sent()).toBeLessThanOrEqual(batches * 9);
  expect(claims.length).toBeGreaterThan(5);
  expect(claims.every((claimed) => claimed === 2)).toBe(true);
  expect(await operation(id)).toMatchObject({ status: 'done', done: count, changed: count });
  const { rows } = await world.db.execute<{ cancelled: number; asked: number }>(sql`
    select count(*) filter (where status = 'cancelled')::int as cancelled,
      count(*) filter (where status = 'processing' and cancel_requested_at is not null)::int as asked
    from tickmark.tasks where agent_id = 'invoice'`);
  expect(rows[0]).toEqual({ cancelled: count - overtaken, asked: overtaken });
}, 240_000);

/** A pool of one process more, and how many statements it has sent. */
function countingDb(): { db: Db; sent(): number } {
  let n = 0;
  const db = createDb(world.url, { applicationName: 'counted' });
  db.$client.on('connect', (client) => {
    const { query } = client;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        n++;
        return Reflect.apply(query, client, args);
      },
    });
  });
  return { db, sent: () => n };
}
