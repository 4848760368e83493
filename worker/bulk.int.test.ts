import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBulk } from '@/lib/queue/bulk';
import { exitOf } from '@/test/exit-of';
import { until } from '@/test/until';
import { createWorkerFixture, type WorkerFixture } from '@/test/worker-fixture';

let fixture: WorkerFixture;
beforeAll(async () => {
  fixture = await createWorkerFixture();
});
afterAll(() => fixture.close());

it('C10: a bulk action goes on where a worker that was killed left it, and touches no task twice', async () => {
  const count = 20_000;
  const { db } = fixture;
  await db.$client.query(`update tickmark.agents set paused = true`);
  await db.$client.query(
    `insert into tickmark.tasks (agent_id, estimated_tokens) select 'invoice', 100 from generate_series(1, $1::int)`,
    [count],
  );
  const { id } = await openBulk(db, {
    action: 'cancel',
    priority: null,
    actor: 'user:1',
    tasks: sql`select id from tickmark.tasks`,
  });
  const progress = async () =>
    (await db.$client.query('select status, done, changed from tickmark.bulk_operations where id = $1', [id]))
      .rows[0];
  const killed = fixture.startWorker();
  await until('the first batch', async () => (await progress()).done > 0);
  killed.kill('SIGKILL');
  await exitOf(killed);
  const { done } = await progress();
  expect(done).toBeLessThan(count);
  fixture.startWorker();
  fixture.startWorker();
  await until('the end of the operation', async () => (await progress()).status === 'done');
  expect(await progress()).toEqual({ status: 'done', done: count, changed: count });
  const { rows } = await db.$client.query(
    `select count(*)::int as events, count(distinct task_id)::int as tasks from tickmark.task_events where to_status = 'cancelled'`,
  );
  expect(rows[0]).toEqual({ events: count, tasks: count });
}, 180_000);
