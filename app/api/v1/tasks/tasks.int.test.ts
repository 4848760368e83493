import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TaskDetail, TaskList } from '@/lib/contract/api';
import { TASK_SORTS } from '@/lib/contract/task-sorts';
import { claimTasks } from '@/lib/queue/claim';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { writeExtraction, writeTask } from '@/test/story';
import { POST as cancel } from './[id]/cancel/route';
import { POST as retry } from './[id]/retry/route';
import { GET as getOne, PATCH as patch } from './[id]/route';
import { GET as getList } from './route';

let app: TestApp;
let operator: Record<string, string>;

beforeAll(async () => {
  app = await createTestApp();
  operator = await bearer('operator');
});
afterAll(() => app.close());
beforeEach(() =>
  app.db.$client.query(
    'truncate tickmark.tasks, tickmark.task_attempts, tickmark.task_events, tickmark.callback_deliveries, tickmark.extractions cascade',
  ),
);

async function list(query: string) {
  const response = await call(getList, { query, headers: operator });
  expect(response.status).toBe(200);
  return TaskList.parse(await response.json());
}

const one = async (id: string) =>
  TaskDetail.parse(await (await call(getOne, { params: { id }, headers: operator })).json());

describe('the list of tasks', () => {
  test('B26: in every order, page by page, holds each task once and in order', async () => {
    for (let n = 0; n < 40; n += 1) {
      await writeTask(app.db, {
        status: n % 3 === 0 ? 'completed' : n % 3 === 1 ? 'enqueued' : 'failed',
        priority: (n * 7) % 5,
        confidence: n % 4 === 0 ? null : (n % 9) / 10,
        createdAt: `2026-01-01T00:00:0${n % 3}.12345${n % 10}Z`,
        responseSeconds: n % 6,
      });
    }
    for (const sort of TASK_SORTS) {
      const whole = await list(`?sort=${sort}&limit=200`);
      const paged: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await list(`?sort=${sort}&limit=7&cursor=${cursor}`);
        paged.push(...page.tasks.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(new Set(paged).size).toBe(40);
      expect(paged).toEqual(whole.tasks.map(({ id }) => id));
    }
    const confident = (await list('?sort=-confidence')).tasks.map(({ confidence }) => confidence ?? -1);
    expect(confident).toEqual([...confident].sort((a, b) => b - a));
    const byFinish = (await list('?sort=finished')).tasks.map(({ finishedAt }) => finishedAt ?? '9');
    expect(byFinish).toEqual([...byFinish].sort());
  });

  test('M21: filters by status, agent, client, extraction, range and words', async () => {
    const extractionId = await writeExtraction(app.db, { client: 'Smith, Jones', name: '100% of_it' });
    const inside = await writeTask(app.db, {
      extractionId,
      status: 'failed',
      errorCode: 'no_pages',
      createdAt: '2026-03-01T00:00:00Z',
    });
    const other = await writeTask(app.db, { agent: 'contract', createdAt: '2026-03-02T00:00:00Z' });
    const ids = async (query: string) => (await list(query)).tasks.map(({ id }) => id);
    expect(await ids('?status=failed,completed')).toEqual([inside]);
    expect(await ids('?status=failed&status=enqueued')).toEqual([other, inside]);
    expect(await ids('?agent=contract')).toEqual([other]);
    expect(await ids('?client=Smith%2C%20Jones')).toEqual([inside]);
    expect(await ids(`?extraction=${extractionId}`)).toEqual([inside]);
    expect(await ids('?from=2026-03-02')).toEqual([other]);
    expect(await ids('?to=2026-03-02T00:00:00Z')).toEqual([inside]);
    expect(await ids('?q=no_pages')).toEqual([inside]);
    expect(await ids('?q=100%25')).toEqual([inside]);
    expect(await ids('?q=%25')).toEqual([inside]);
    expect(await ids('?q=1_0')).toEqual([]);
    expect(await ids(`?q=${other.toUpperCase()}`)).toEqual([other]);
  });

  test('refuses a cursor that another list gave out, or none did', async () => {
    await writeTask(app.db);
    await writeTask(app.db);
    const { nextCursor } = await list('?limit=1&sort=priority');
    for (const query of [
      `?cursor=${nextCursor}`,
      '?cursor=nonsense',
      '?cursor=e30',
      '?sort=nothing',
      '?limit=0',
      '?from=yesterday',
    ]) {
      expect((await call(getList, { query, headers: operator })).status).toBe(400);
    }
  });

  test('by ids shows these tasks as they are now, whatever the filters', async () => {
    const [first, second] = [await writeTask(app.db), await writeTask(app.db, { status: 'failed' })];
    await writeTask(app.db);
    const { tasks, nextCursor } = await list(`?id=${first}&id=${second}&status=completed&limit=1`);
    expect(new Set(tasks.map(({ id }) => id))).toEqual(new Set([first, second]));
    expect(nextCursor).toBeNull();
    expect((await list('?id=00000000-0000-4000-8000-000000000000')).tasks).toEqual([]);
    expect((await call(getList, { query: '?id=nonsense', headers: operator })).status).toBe(400);
  });
});

describe('one task', () => {
  test('B22: tells its whole story; money has all digits', async () => {
    const id = await writeTask(app.db, {
      status: 'completed',
      confidence: 0.97,
      result: {
        documentType: 'invoice',
        fields: [{ name: 'grand_total', value: '1234.50', page: 1, box: [1, 2, 3, 4] }],
      },
      attempts: [
        { status: 'lost', inputTokens: 10, outputTokens: 1, costUsd: '0.000000000001' },
        { status: 'succeeded', inputTokens: 1000, outputTokens: 210, costUsd: '0.0012304' },
      ],
    });
    const task = await one(id);
    expect(task).toMatchObject({
      llmCostUsd: '0.001230400001',
      inputTokens: 1010,
      outputTokens: 211,
      responseSeconds: 1,
    });
    expect(
      task.attempts.map(({ number, status, waste, llmCostUsd }) => [number, status, waste, llmCostUsd]),
    ).toEqual([
      [1, 'lost', true, '0.000000000001'],
      [2, 'succeeded', false, '0.0012304'],
    ]);
    expect(task.result?.fields[0]).toMatchObject({ name: 'grand_total', value: '1234.50', confidence: null });
  });

  test('B37, N6: that waits says why in one sentence', async () => {
    const id = await writeTask(app.db);
    expect((await one(id)).whyNotRunning).toMatch(/\S/);
  });

  test('B21: of unknown price shows null, never 0', async () => {
    const id = await writeTask(app.db, { attempts: [{ status: 'failed', inputTokens: 5, outputTokens: 5 }] });
    expect(await one(id)).toMatchObject({ llmCostUsd: null });
    expect(await one(await writeTask(app.db))).toMatchObject({ llmCostUsd: '0' });
  });

  test('that is not there is 404; an id that is none is 400', async () => {
    const missing = { params: { id: '00000000-0000-4000-8000-000000000000' }, headers: operator };
    expect((await call(getOne, missing)).status).toBe(404);
    expect((await call(cancel, { ...missing, method: 'POST' })).status).toBe(404);
    expect((await call(retry, { ...missing, method: 'POST' })).status).toBe(404);
    expect((await call(patch, { ...missing, method: 'PATCH', json: { priority: 1 } })).status).toBe(404);
    expect((await call(getOne, { params: { id: "'; drop table" }, headers: operator })).status).toBe(400);
  });
});

describe('acting on a task', () => {
  const act = async (handler: typeof cancel, id: string) => {
    const response = await call(handler, { method: 'POST', params: { id }, headers: operator });
    return { status: response.status, task: await response.json() };
  };

  test('cancels a waiting one at once, twice with the same answer, and retries it above bulk', async () => {
    const id = await writeTask(app.db);
    expect((await act(cancel, id)).task.status).toBe('cancelled');
    expect(await act(cancel, id)).toMatchObject({ status: 200, task: { status: 'cancelled' } });
    const retried = await act(retry, id);
    expect(retried.task).toMatchObject({ status: 'enqueued', priority: 80 });
    expect((await act(retry, id)).status).toBe(200);
    expect(retried.task.events.map(({ actor }: { actor: string }) => actor)).toContain('user:test-operator');
  });

  test('B28: asks a running one to stop and keeps it in processing', async () => {
    const id = await writeTask(app.db);
    await app.db.$client.query('update tickmark.tasks set estimated_tokens = 1, estimated_seconds = 1');
    await claimTasks(app.db, { workerId: 'w', limit: 1, leaseSeconds: 60 });
    const { task } = await act(cancel, id);
    expect(task).toMatchObject({ status: 'processing', cancelRequestedAt: expect.any(String) });
  });

  test('on a completed one is refused with 409', async () => {
    const id = await writeTask(app.db, { status: 'completed' });
    expect((await act(cancel, id)).status).toBe(409);
    expect((await act(retry, id)).status).toBe(409);
  });

  test('changes the priority within 0 to 100 and nothing else', async () => {
    const id = await writeTask(app.db);
    const send = (json: unknown) => call(patch, { method: 'PATCH', params: { id }, json, headers: operator });
    expect(await (await send({ priority: 99 })).json()).toMatchObject({ priority: 99 });
    for (const json of [
      { priority: 101 },
      { priority: -1 },
      { priority: 1.5 },
      { priority: '1' },
      { status: 'completed', priority: 1 },
      {},
      [],
    ]) {
      expect((await send(json)).status).toBe(400);
    }
  });
});
