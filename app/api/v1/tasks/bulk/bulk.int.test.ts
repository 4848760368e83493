import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BulkOperation, BulkPreview } from '@/lib/contract/api-bulk';
import { workBulk } from '@/lib/queue/bulk';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { writeExtraction, writeTask } from '@/test/story';
import { GET as getOperation } from '../../bulk/[id]/route';
import { POST as bulk } from './route';

let app: TestApp;
let operator: Record<string, string>;

beforeAll(async () => {
  app = await createTestApp();
  operator = await bearer('operator');
});
afterAll(() => app.close());
beforeEach(() =>
  app.db.$client.query(
    'truncate tickmark.tasks, tickmark.task_attempts, tickmark.task_events, tickmark.extractions, tickmark.bulk_operations, tickmark.bulk_operation_tasks, tickmark.audit_log cascade',
  ),
);

const send = (json: unknown, headers = operator) => call(bulk, { json, headers });

async function start(json: unknown): Promise<BulkOperation> {
  const response = await send(json);
  expect(response.status).toBe(202);
  return BulkOperation.parse(await response.json());
}

async function preview(json: object): Promise<BulkPreview> {
  const response = await send({ ...json, preview: true });
  expect(response.status).toBe(200);
  return BulkPreview.parse(await response.json());
}

async function finish(id: string): Promise<BulkOperation> {
  while ((await workBulk(app.db)) === 'worked');
  const response = await call(getOperation, { params: { id }, headers: operator });
  return BulkOperation.parse(await response.json());
}

const statuses = async () =>
  (await app.db.$client.query('select status, count(*)::int as n from tickmark.tasks group by 1 order by 1'))
    .rows;

async function setEstimate(tokens: number | null): Promise<void> {
  await app.db.$client.query('update tickmark.tasks set estimated_tokens = $1', [tokens]);
}

describe('a bulk action', () => {
  test('B29: by filter takes what the filter means and the action can change, and tells how far it is', async () => {
    const extractionId = await writeExtraction(app.db, { client: 'Smith, Jones' });
    await writeTask(app.db, { extractionId, status: 'failed', errorCode: 'timeout' });
    await writeTask(app.db, { extractionId, status: 'failed', errorCode: 'no_pages' });
    await writeTask(app.db, { extractionId, status: 'completed' });
    await writeTask(app.db, { status: 'failed', errorCode: 'timeout' });
    const operation = await start({
      action: 'retry',
      filter: { client: 'Smith, Jones', errorCode: ['timeout'] },
    });
    expect(operation).toMatchObject({
      status: 'waiting',
      progress: { total: 1, done: 0, changed: 0, skipped: 0 },
      actor: 'user:test-operator',
      finishedAt: null,
    });
    expect(await finish(operation.id)).toMatchObject({
      status: 'done',
      progress: { total: 1, done: 1, changed: 1, skipped: 0 },
      finishedAt: expect.any(String),
    });
    expect(await statuses()).toEqual([
      { status: 'enqueued', n: 1 },
      { status: 'completed', n: 1 },
      { status: 'failed', n: 2 },
    ]);
  });

  test('B48: what was asked for by status or error must still be so when its turn comes; what was asked for without is not', async () => {
    const [begun, waits, otherwise] = await Promise.all([
      writeTask(app.db),
      writeTask(app.db),
      writeTask(app.db),
    ]);
    await app.db.$client.query(
      "update tickmark.tasks set status = 'failed', finished_at = now(), error_code = 'timeout' where id = $1",
      [otherwise],
    );
    const cancelWaiting = await start({ action: 'cancel', filter: { status: ['enqueued'] } });
    const retryTimeouts = await start({ action: 'retry', filter: { errorCode: ['timeout'] } });
    await app.db.$client.query("update tickmark.tasks set status = 'processing' where id = $1", [begun]);
    await app.db.$client.query("update tickmark.tasks set error_code = 'password_required' where id = $1", [
      otherwise,
    ]);
    expect((await finish(cancelWaiting.id)).progress).toEqual({ total: 2, done: 2, changed: 1, skipped: 1 });
    expect((await finish(retryTimeouts.id)).progress).toEqual({ total: 1, done: 1, changed: 0, skipped: 1 });
    const { rows } = await app.db.$client.query(
      'select id, status, cancel_requested_at is not null as is_stopping from tickmark.tasks',
    );
    expect(rows.find(({ id }) => id === begun)).toMatchObject({ status: 'processing', is_stopping: false });
    expect(rows.find(({ id }) => id === waits)).toMatchObject({ status: 'cancelled' });
    expect(rows.find(({ id }) => id === otherwise)).toMatchObject({ status: 'failed' });
    const all = await start({ action: 'cancel', filter: {} });
    expect((await finish(all.id)).progress).toEqual({ total: 1, done: 1, changed: 1, skipped: 0 });
  });

  test('by ids takes each named one and counts what had moved on as skipped', async () => {
    const waiting = await writeTask(app.db);
    const completed = await writeTask(app.db, { status: 'completed' });
    const { id } = await start({ action: 'cancel', ids: [waiting.toUpperCase(), completed, waiting] });
    expect((await finish(id)).progress).toEqual({ total: 2, done: 2, changed: 1, skipped: 1 });
  });

  test('on an unknown task is refused as a whole', async () => {
    const waiting = await writeTask(app.db);
    const response = await send({ action: 'cancel', ids: [waiting, randomUUID()] });
    expect(response.status).toBe(404);
    expect((await response.json()).detail).toContain('Nothing was changed');
    expect(await statuses()).toEqual([{ status: 'enqueued', n: 1 }]);
  });

  test('B48: leaves an audit entry with who asked for what', async () => {
    await writeTask(app.db);
    const { id } = await start({ action: 'reprioritise', priority: 70, filter: { agent: 'invoice' } });
    const { rows } = await app.db.$client.query(
      'select actor, action, subject, details from tickmark.audit_log',
    );
    expect(rows).toEqual([
      {
        actor: 'user:test-operator',
        action: 'task.bulk_reprioritise',
        subject: `bulk:${id}`,
        details: { total: 1, priority: 70, filter: { agent: ['invoice'] } },
      },
    ]);
  });

  test('sent twice with one Idempotency-Key is one operation', async () => {
    await writeTask(app.db);
    const headers = { ...operator, 'idempotency-key': 'once' };
    const first = await (await send({ action: 'cancel', filter: {} }, headers)).json();
    const second = await send({ action: 'cancel', filter: {} }, headers);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await second.json()).id).toBe(first.id);
    expect((await send({ action: 'retry', filter: {} }, headers)).status).toBe(422);
  });

  test('B48: is refused where it does not say clearly what it means', async () => {
    for (const json of [
      { action: 'cancel' },
      { action: 'cancel', filter: {}, ids: [randomUUID()] },
      { action: 'cancel', ids: [] },
      { action: 'cancel', filter: { client: [] } },
      { action: 'cancel', filter: { q: '' } },
      { action: 'cancel', filter: { stauts: 'failed' } },
      { action: 'cancel', filter: {}, priority: 3 },
      { action: 'reprioritise', filter: {} },
      { action: 'reprioritise', filter: {}, priority: 101 },
      { action: 'delete', filter: {} },
      { action: 'cancel', ids: ["' or true"] },
      [],
    ]) {
      expect({ json, status: (await send(json)).status }).toEqual({ json, status: 400 });
    }
  });

  test('invariant 9: no filter from outside makes a 500', async () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u0000', '\ud800', '%', "'; drop", '__proto__', '9999-12-31', '0000-01-01'),
    );
    const some = fc.oneof(nasty, fc.array(nasty, { maxLength: 3 }), fc.jsonValue());
    const filter = fc.record(
      {
        status: some,
        agent: some,
        client: some,
        errorCode: some,
        extraction: some,
        from: some,
        to: some,
        q: some,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filter, fc.boolean(), async (wanted, wantsPreview) => {
        const response = await send({ action: 'cancel', filter: wanted, preview: wantsPreview });
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  });

  test('that is not there is 404, an id that is none is 400', async () => {
    expect((await call(getOperation, { params: { id: randomUUID() }, headers: operator })).status).toBe(404);
    expect((await call(getOperation, { params: { id: 'x' }, headers: operator })).status).toBe(400);
  });
});

describe('N10: the preview of a bulk action', () => {
  test('B48: counts, shows the first and changes nothing', async () => {
    for (let n = 0; n < 12; n++) await writeTask(app.db, { priority: n });
    const shown = await preview({ action: 'cancel', filter: {} });
    expect(shown.count).toBe(12);
    expect(shown.sample.map(({ priority }) => priority)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(await statuses()).toEqual([{ status: 'enqueued', n: 12 }]);
    const { rows } = await app.db.$client.query('select 1 from tickmark.bulk_operations');
    expect(rows).toEqual([]);
  });

  test('prices the estimated tokens as the agent used its last model, at the price of today', async () => {
    const used = await writeTask(app.db, {
      status: 'completed',
      attempts: [{ status: 'succeeded', inputTokens: 900, outputTokens: 100, costUsd: '9' }],
    });
    await app.db.$client.query(`update tickmark.task_attempts set model = 'tickmark-rules-1'`);
    await writeTask(app.db, { status: 'failed' });
    await setEstimate(2_000);
    // 0.9 × 0.10 + 0.1 × 0.40 = 0.13 USD per million tokens.
    expect(await preview({ action: 'retry', filter: {} })).toMatchObject({
      count: 1,
      estimatedCostUsd: '0.00026',
      unpriced: 0,
    });
    expect(await preview({ action: 'cancel', filter: {} })).toMatchObject({
      count: 0,
      estimatedCostUsd: '0',
    });
    expect((await preview({ action: 'cancel', ids: [used] })).count).toBe(1);
  });

  test('takes a task that has run before to cost what its dearest attempt did, where that is more than estimated', async () => {
    const attempt = { status: 'failed' as const, inputTokens: 900, outputTokens: 100 };
    const dear = await writeTask(app.db, {
      status: 'failed',
      attempts: [
        { ...attempt, costUsd: '0.001' },
        { ...attempt, costUsd: '0.00303' },
      ],
    });
    const cheap = await writeTask(app.db, {
      status: 'failed',
      attempts: [{ ...attempt, costUsd: '0.0001' }],
    });
    await app.db.$client.query(`update tickmark.task_attempts set model = 'tickmark-rules-1'`);
    await setEstimate(2_000);
    const priceOf = async (ids: string[]) => (await preview({ action: 'retry', ids })).estimatedCostUsd;
    expect(await priceOf([dear])).toBe('0.00303');
    expect(await priceOf([cheap])).toBe('0.00026');
    expect(await priceOf([dear, cheap])).toBe('0.00329');
  });

  test('of a retry tells which failed tasks would end the same way, and why', async () => {
    const codes = [
      'password_required',
      'corrupt_pdf',
      'password_required',
      'timeout',
      'budget_exceeded',
      'an_own_code',
    ];
    for (const errorCode of codes) await writeTask(app.db, { status: 'failed', errorCode });
    await writeTask(app.db, { status: 'cancelled' });
    const shown = await preview({ action: 'retry', filter: {} });
    expect(shown.count).toBe(7);
    expect(shown.sameAgain).toEqual([
      { errorCode: 'password_required', count: 2 },
      { errorCode: 'corrupt_pdf', count: 1 },
    ]);
    await writeTask(app.db, {});
    expect((await preview({ action: 'cancel', filter: {} })).sameAgain).toEqual([]);
  });

  test('says what it cannot price, and never calls it 0', async () => {
    await writeTask(app.db, { agent: 'contract' });
    await setEstimate(2_000);
    expect(await preview({ action: 'cancel', filter: {} })).toMatchObject({
      count: 1,
      estimatedCostUsd: null,
      unpriced: 1,
    });
    await writeTask(app.db, { agent: 'invoice', attempts: [{ status: 'failed', inputTokens: 10 }] });
    await app.db.$client.query(
      `update tickmark.task_attempts set model = 'tickmark-rules-1', input_tokens = 10, output_tokens = 0`,
    );
    await setEstimate(1_000_000);
    expect(await preview({ action: 'cancel', filter: {} })).toMatchObject({
      count: 2,
      estimatedCostUsd: '0.1',
      unpriced: 1,
    });
    await app.db.$client.query(`update tickmark.task_attempts set model = 'unheard-of'`);
    expect(await preview({ action: 'cancel', filter: { agent: 'invoice' } })).toMatchObject({
      estimatedCostUsd: null,
      unpriced: 1,
    });
  });
});
