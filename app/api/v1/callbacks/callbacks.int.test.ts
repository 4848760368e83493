import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Problem } from '@/lib/contract/api-problem';
import { MAX_CALLBACK_BYTES } from '@/lib/contract/callback';
import { attemptKey, signDelivery } from '@/lib/contract/signature';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { enqueueTask } from '@/lib/queue/enqueue';
import { call, createTestApp, type TestApp, WEBHOOK_SECRET } from '@/test/api';
import { POST } from './route';

let app: TestApp;
let attempt: ClaimedTask;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const estimate = { tokens: 1, seconds: 1 };
  await enqueueTask(app.db, { agentId: 'general', priority: 50, input: {}, estimate, actor: 'test' });
  const [claimed] = await claimTasks(app.db, { workerId: 'w', limit: 1, leaseSeconds: 60 });
  if (!claimed) throw new Error('nothing was claimed');
  attempt = claimed;
});

const success = () =>
  JSON.stringify({
    type: 'attempt.succeeded',
    taskId: attempt.taskId,
    attemptId: attempt.attemptId,
    result: { documentType: 'general', confidence: 0.5, fields: [] },
  });

function send(body: string, { at = new Date(), id = randomUUID(), attemptId = attempt.attemptId } = {}) {
  const signed = signDelivery(attemptKey(WEBHOOK_SECRET, attemptId), id, at, body);
  return call(POST, {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': signed.id,
      'webhook-timestamp': signed.timestamp,
      'webhook-signature': signed.signature,
    },
  });
}

describe('a callback over HTTP', () => {
  test('M12: fifty times at once gets fifty equal answers and leaves one result; another one afterwards is a noop', async () => {
    const id = randomUUID();
    const body = success();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(body, { id })));
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(bodies.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ outcome: 'applied', stop: false })]),
    );
    const { rows } = await app.db.$client.query(
      "select count(*)::int as n from tickmark.task_events where task_id = $1 and to_status = 'completed'",
      [attempt.taskId],
    );
    expect(rows[0].n).toBe(1);
    expect(await (await send(body)).json()).toMatchObject({ outcome: 'noop' });
  });

  test('works without the headers when the envelope holds them', async () => {
    const body = success();
    const key = attemptKey(WEBHOOK_SECRET, attempt.attemptId);
    const webhook = signDelivery(key, randomUUID(), new Date(), body);
    const response = await call(POST, { json: { webhook, payload: body } });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { outcome: 'applied', stop: false },
    });
  });

  test('is refused in the order of the contract', async () => {
    const large = JSON.stringify({ attemptId: attempt.attemptId, filling: 'x'.repeat(MAX_CALLBACK_BYTES) });
    const stranger = randomUUID();
    const minutesAgo = new Date(Date.now() - 6 * 60_000);
    const refused: [Response, number][] = [
      [await send(large), 413],
      [await send('x'.repeat(3 * MAX_CALLBACK_BYTES)), 413],
      [await send('{"taskId":"x"}'), 400],
      [await call(POST, { body: success(), headers: { 'content-type': 'application/json' } }), 401],
      [await send(success(), { at: minutesAgo }), 401],
      [await send(success(), { attemptId: stranger }), 401],
      [await send(JSON.stringify({ attemptId: stranger }), { attemptId: stranger }), 404],
      [await send(JSON.stringify({ attemptId: attempt.attemptId })), 400],
    ];
    for (const [response, status] of refused) {
      expect(response.status).toBe(status);
      expect(Problem.parse(await response.json()).detail).not.toBe('');
    }
  });
});
