import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { CallbackAnswer } from '@/lib/contract/callback';
import { attemptKey, signDelivery } from '@/lib/contract/signature';
import type { Api } from './api';
import { longScan } from './documents';
import { expect, test } from './fixtures';

const SIX_MINUTES_MS = 6 * 60_000;

/** A task whose run is under way and will be for some seconds, with its attempt. */
async function startLongRun(api: Api) {
  const { tasks } = await api.submit({ agent: 'invoice' }, [
    { name: 'long-scan.pdf', bytes: await longScan(12) },
  ]);
  const task = await api.until(tasks[0]?.id ?? '', 'processing');
  const attempt = task.attempts.find(({ current }) => current);
  if (!attempt) throw new Error('a task in processing has no attempt');
  return { taskId: task.id, attemptId: attempt.id };
}

const result = (total: string) => ({
  documentType: 'invoice',
  confidence: 0.5,
  fields: [{ name: 'grand_total', value: total, confidence: 0.5 }],
});

interface Delivery {
  readonly key: string;
  readonly id?: string;
  readonly at?: Date;
  readonly body: object;
}

function post(request: APIRequestContext, { key, id = randomUUID(), at = new Date(), body }: Delivery) {
  const text = JSON.stringify(body);
  const signed = signDelivery(key, id, at, text);
  return request.post('/api/v1/callbacks', {
    data: Buffer.from(text),
    headers: {
      'content-type': 'application/json',
      'webhook-id': signed.id,
      'webhook-timestamp': signed.timestamp,
      'webhook-signature': signed.signature,
    },
  });
}

async function answerOf(answer: Awaited<ReturnType<typeof post>>): Promise<CallbackAnswer> {
  expect(answer.status(), await answer.text()).toBe(200);
  return CallbackAnswer.parse(await answer.json());
}

test('the same delivery fifty times at once makes one result and fifty equal answers; another one is a noop', async ({
  apiAs,
  instance,
  agentRequest: agent,
}) => {
  const api = await apiAs('auditor');
  const { taskId, attemptId } = await startLongRun(api);
  const key = attemptKey(instance.webhookSecret, attemptId);
  const body = { type: 'attempt.succeeded', taskId, attemptId, result: result('111.00') };
  const id = randomUUID();
  const at = new Date();
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => answerOf(await post(agent, { key, id, at, body }))),
  );
  expect(answers).toEqual(Array.from({ length: 50 }, () => ({ outcome: 'applied', stop: false })));

  const other = { ...body, result: result('999.00') };
  expect((await answerOf(await post(agent, { key, body: other }))).outcome).toBe('noop');
  const later = await answerOf(await post(agent, { key, id, body }));
  expect(later, 'signed anew, the same delivery still gets its answer').toEqual(answers[0]);

  const task = await api.task(taskId);
  expect(task.status).toBe('completed');
  expect(task.result?.fields).toMatchObject([{ name: 'grand_total', value: '111.00' }]);
  expect(task.events.filter(({ toStatus }) => toStatus === 'completed')).toHaveLength(1);
});

test('a delivery that is not signed by the attempt’s key, is too old, or of no attempt changes nothing', async ({
  apiAs,
  instance,
  agentRequest: agent,
}) => {
  const api = await apiAs('operator');
  const { taskId, attemptId } = await startLongRun(api);
  const body = { type: 'attempt.succeeded', taskId, attemptId, result: result('111.00') };
  const key = attemptKey(instance.webhookSecret, attemptId);
  const stranger = { ...body, attemptId: randomUUID() };
  const old = new Date(Date.now() - SIX_MINUTES_MS);
  const answers = [
    await post(agent, { key: attemptKey(instance.webhookSecret, randomUUID()), body }),
    await post(agent, { key, at: old, body }),
    await agent.post('/api/v1/callbacks', { data: body }),
    await post(agent, { key: attemptKey(instance.webhookSecret, stranger.attemptId), body: stranger }),
    await post(agent, { key, body: { ...body, result: 'none' } }),
    await agent.post('/api/v1/callbacks', { data: { type: 'attempt.succeeded' } }),
  ];
  expect(answers.map((answer) => answer.status())).toEqual([401, 401, 401, 404, 400, 400]);
  for (const answer of answers) expect(answer.headers()['content-type']).toBe('application/problem+json');
  expect((await api.task(taskId)).result).toBeNull();

  // The run is stopped like any other, so that it takes no time from what follows.
  expect((await api.request.post(`/api/v1/tasks/${taskId}/cancel`)).ok()).toBe(true);
  const cancelled = await api.until(taskId, 'cancelled');
  expect(cancelled.attempts[0]?.status).toBe('cancelled');
});
