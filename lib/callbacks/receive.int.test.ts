import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { attemptKey, signDelivery } from '@/lib/contract/signature';
import type { Db } from '@/lib/db/client';
import { type CallbackGroups, createCallbackGroups } from '@/lib/queue/callback-groups';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { enqueueTask } from '@/lib/queue/enqueue';
import { priceUsages } from '@/lib/usage/price';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { type DeliveryHeaders, receiveCallback } from './receive';

const SECRET = 's'.repeat(40);
let database: TestDatabase;
let db: Db;
let groups: CallbackGroups;
let attempt: ClaimedTask;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  groups = createCallbackGroups({ db, hooks: { priceUsages } });
});
afterAll(async () => {
  await database.close();
});
beforeEach(async () => {
  const estimate = { tokens: 1, seconds: 1 };
  await enqueueTask(db, { agentId: 'general', priority: 50, input: {}, estimate, actor: 'test' });
  const [claimed] = await claimTasks(db, { workerId: 'w', limit: 1, leaseSeconds: 60 });
  if (!claimed) throw new Error('nothing was claimed');
  attempt = claimed;
});

const succeeded = (change: object = {}) =>
  JSON.stringify({
    type: 'attempt.succeeded',
    taskId: attempt.taskId,
    attemptId: attempt.attemptId,
    result: { documentType: 'general', confidence: 0.5, fields: [] },
    ...change,
  });
interface Signing {
  readonly id?: string;
  readonly at?: Date;
  readonly attemptId?: string;
}
const sign = (
  body: string,
  { id = randomUUID(), at = new Date(), attemptId = attempt.attemptId }: Signing = {},
) => signDelivery(attemptKey(SECRET, attemptId), id, at, body);
const receive = (headers: DeliveryHeaders | null, rawBody: string, checkAge = true) =>
  receiveCallback({ db, webhookSecret: SECRET, groups }, { headers, rawBody, checkAge });
const envelope = (body: string, change: Signing = {}) =>
  JSON.stringify({ webhook: sign(body, change), payload: body });
const statusOf = async () => {
  const { rows } = await db.$client.query('select status from tickmark.tasks where id = $1', [
    attempt.taskId,
  ]);
  return rows[0]?.status;
};

test('a signed success is applied, by headers or in an envelope, once', async () => {
  const body = succeeded();
  const id = randomUUID();
  const answer = { outcome: 'applied', stop: false };
  expect(await receive(sign(body, { id }), body)).toMatchObject({ status: 200, answer });
  expect(await receive(null, envelope(body, { id }))).toMatchObject({ status: 200, answer });
  expect(await receive(sign(body), body)).toMatchObject({ status: 200, answer: { outcome: 'noop' } });
  expect(await statusOf()).toBe('completed');
});

test('B45: checks come in the order of the contract: 413, no attempt id, signature, attempt, schema', async () => {
  const huge = succeeded({ padding: 'x'.repeat(10 * 1024 * 1024) });
  expect(await receive(sign(huge), huge)).toMatchObject({ status: 413 });
  for (const body of ['', 'no json', '[]', 'null', '{"attemptId":7}', '{"attemptId":""}', '{}']) {
    expect(await receive(sign(body), body)).toMatchObject({ status: 400 });
  }
  const broken = succeeded({ type: 'attempt.exploded' });
  expect(await receive({ ...sign(broken), signature: 'v1,AAAA' }, broken)).toMatchObject({ status: 401 });
  expect(await receive(null, broken)).toMatchObject({ status: 401 });
  for (const attemptId of [randomUUID(), 'not-a-uuid', "'; drop table tasks", 'nul\0']) {
    const body = succeeded({ type: 'attempt.exploded', attemptId });
    expect(await receive(sign(body, { attemptId }), body)).toMatchObject({ status: 404 });
  }
  expect(await receive(sign(broken), broken)).toMatchObject({ status: 400 });
  const foreign = succeeded({ taskId: randomUUID() });
  expect(await receive(sign(foreign), foreign)).toMatchObject({ status: 400 });
  expect(await statusOf()).toBe('processing');
});

test('a signature of another attempt, another body or another time is refused', async () => {
  const body = succeeded();
  expect(await receive(sign(body, { attemptId: randomUUID() }), body)).toMatchObject({ status: 401 });
  expect(await receive(sign(body), `${body} `)).toMatchObject({ status: 401 });
  const old = sign(body, { at: new Date(Date.now() - 6 * 60_000) });
  expect(await receive(old, body)).toMatchObject({ status: 401 });
  expect(await receive({ ...old, timestamp: String(Math.floor(Date.now() / 1000)) }, body)).toMatchObject({
    status: 401,
  });
});

test('an outbox is taken however old it is, but not unsigned', async () => {
  const body = succeeded();
  const outbox = envelope(body, { at: new Date(Date.now() - 30 * 24 * 3600_000) });
  expect(await receive(null, outbox, true)).toMatchObject({ status: 401 });
  expect(await receive(null, outbox.replace('general', 'changed'), false)).toMatchObject({ status: 401 });
  expect(await receive(null, outbox, false)).toMatchObject({ status: 200 });
});

test('an envelope with an id that can not be stored is refused, not an error', async () => {
  const body = succeeded();
  for (const id of ['nul\0byte', 'half \ud83d', 'x'.repeat(200), 'ünicode']) {
    const outcome = await receive(null, envelope(body, { id }));
    expect([200, 401]).toContain(outcome.status);
  }
});

test('B42: what an agent writes into its result can always be stored and read back', async () => {
  const body = succeeded({
    result: { fields: [{ name: 'x\0y', value: ['\ud800', 1e308, { '\0': null }] }], confidence: 1e-300 },
    usage: { model: 'm\0', inputTokens: 999_999_999_999, costUsd: '0.000000000001' },
  });
  expect(await receive(sign(body), body)).toMatchObject({ status: 200, answer: { outcome: 'applied' } });
  expect(await statusOf()).toBe('completed');
});

test('the same delivery 50 times at once is applied once and answered alike', async () => {
  const body = succeeded();
  const id = randomUUID();
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => receive(sign(body, { id }), body)));
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  const { rows } = await db.$client.query(
    "select 1 from tickmark.task_events where task_id = $1 and to_status = 'completed'",
    [attempt.taskId],
  );
  expect(rows).toHaveLength(1);
});
