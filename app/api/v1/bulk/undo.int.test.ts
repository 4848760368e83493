import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BulkOperation } from '@/lib/contract/api-bulk';
import { workBulk } from '@/lib/queue/bulk';
import { setPriority } from '@/lib/queue/prioritise';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { writeTask } from '@/test/story';
import { POST as bulk } from '../tasks/bulk/route';
import { GET } from './[id]/route';
import { POST as undo } from './[id]/undo/route';

let app: TestApp;
let operator: Record<string, string>;
beforeAll(async () => {
  app = await createTestApp();
  operator = await bearer('operator');
});
afterAll(() => app.close());
beforeEach(() =>
  app.db.$client.query(
    'truncate tickmark.tasks, tickmark.task_events, tickmark.bulk_operations, tickmark.bulk_operation_tasks, tickmark.bulk_undo, tickmark.audit_log cascade',
  ),
);

async function read(response: Response, status: number): Promise<BulkOperation> {
  expect(response.status).toBe(status);
  return BulkOperation.parse(await response.json());
}
const start = async (json: unknown) => read(await call(bulk, { json, headers: operator }), 202);
const takeBack = (id: string) => call(undo, { method: 'POST', params: { id }, headers: operator });
async function finish({ id }: BulkOperation): Promise<BulkOperation> {
  while ((await workBulk(app.db)) === 'worked');
  return read(await call(GET, { params: { id }, headers: operator }), 200);
}
const tasks = async () =>
  (await app.db.$client.query('select status, priority from tickmark.tasks order by created_at')).rows;

describe('what was done to many can be taken back', () => {
  test('priorities are what each was, but for one that somebody has changed since', async () => {
    for (const [day, priority] of [10, 50, 70, 90].entries()) {
      await writeTask(app.db, { priority, createdAt: `2026-01-0${day + 1}T00:00:00Z` });
    }
    const done = await finish(await start({ action: 'reprioritise', priority: 90, filter: {} }));
    expect(done).toMatchObject({ progress: { total: 4, changed: 3 }, undoable: 4, undoes: null });
    const [second] = (
      await app.db.$client.query('select id from tickmark.tasks order by created_at offset 1 limit 1')
    ).rows;
    await setPriority(app.db, { taskId: second.id, priority: 5, actor: 'user:other' });
    const back = await finish(await read(await takeBack(done.id), 202));
    expect(back).toMatchObject({
      action: 'reprioritise',
      priority: null,
      undoes: done.id,
      undoable: 0,
      status: 'done',
      progress: { total: 4, changed: 2, skipped: 2 },
    });
    expect((await tasks()).map(({ priority }) => priority)).toEqual([10, 5, 70, 90]);
    const { rows } = await app.db.$client.query(
      `select e.reason, e.actor from tickmark.task_events e join tickmark.tasks t on t.id = e.task_id
       where t.priority = 70 order by e.id desc limit 1`,
    );
    expect(rows[0]).toEqual({ reason: 'priority 70, as it was', actor: 'user:test-operator' });
  });

  test('waiting tasks that were cancelled wait again with the priority they had; what ran stays cancelled', async () => {
    await writeTask(app.db, { priority: 20, createdAt: '2026-01-01T00:00:00Z' });
    await writeTask(app.db, {
      status: 'processing',
      createdAt: '2026-01-02T00:00:00Z',
      attempts: [{ status: 'running' }],
    });
    await app.db.$client.query(
      `update tickmark.tasks t set current_attempt_id = a.id from tickmark.task_attempts a where a.task_id = t.id`,
    );
    const done = await finish(await start({ action: 'cancel', filter: {} }));
    expect(done).toMatchObject({ progress: { changed: 2 }, undoable: 1 });
    expect(await finish(await read(await takeBack(done.id), 202))).toMatchObject({
      action: 'retry',
      progress: { total: 1, changed: 1 },
    });
    expect(await tasks()).toEqual([
      { status: 'enqueued', priority: 20 },
      { status: 'processing', priority: 50 },
    ]);
    const { rows } = await app.db.$client.query(
      `select distinct reason from tickmark.task_events where from_status = 'cancelled' and to_status = 'enqueued'`,
    );
    expect(rows, 'not called a retry').toEqual([{ reason: 'cancelling taken back' }]);
  });

  test('once, when it is over, and only where there is something to put back', async () => {
    await writeTask(app.db, { status: 'failed' });
    const retried = await start({ action: 'retry', filter: {} });
    expect((await takeBack(retried.id)).status, 'under way').toBe(409);
    await finish(retried);
    expect((await takeBack(retried.id)).status, 'nothing to put back').toBe(409);
    const raised = await finish(await start({ action: 'reprioritise', priority: 99, filter: {} }));
    const both = await Promise.all([takeBack(raised.id), takeBack(raised.id)]);
    expect(both.map(({ status }) => status).sort(), 'twice at once').toEqual([202, 409]);
    expect((await takeBack('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await takeBack('nonsense')).status).toBe(400);
    const { rows } = await app.db.$client.query(
      `select details->>'undoes' as undoes from tickmark.audit_log where action = 'task.bulk_undo'`,
    );
    expect(rows).toEqual([{ undoes: raised.id }]);
  });
});
