import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Problem } from '@/lib/contract/api-problem';
import { MAX_CALLBACK_BYTES } from '@/lib/contract/callback';
import { attemptKey, signDelivery } from '@/lib/contract/signature';
import { openLanes, putLanes } from '@/lib/http/lanes';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { enqueueTask } from '@/lib/queue/enqueue';
import { call, createTestApp, type TestApp, WEBHOOK_SECRET } from '@/test/api';
import { POST } from './route';

/** How a request comes in: through the framework's route, or by the lane that production puts before it. */
let way: 'route' | 'lane';
let server: Server;
let url: string;

let app: TestApp;
let attempt: ClaimedTask;

beforeAll(async () => {
  app = await createTestApp();
});
beforeAll(async () => {
  server = createServer((request, response) => response.writeHead(418).end(request.url));
  putLanes(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/callbacks`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
});
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

function post({ body, headers = {} }: { body: string; headers?: Record<string, string> }): Promise<Response> {
  return way === 'route' ? call(POST, { body, headers }) : fetch(url, { method: 'POST', body, headers });
}

function send(body: string, { at = new Date(), id = randomUUID(), attemptId = attempt.attemptId } = {}) {
  const signed = signDelivery(attemptKey(WEBHOOK_SECRET, attemptId), id, at, body);
  return post({
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': signed.id,
      'webhook-timestamp': signed.timestamp,
      'webhook-signature': signed.signature,
    },
  });
}

describe.each(['route', 'lane'] as const)('a callback over HTTP, by the %s', (by) => {
  beforeEach(() => {
    way = by;
  });

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
    const response = await post({ body: JSON.stringify({ webhook, payload: body }) });
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
      [await post({ body: success(), headers: { 'content-type': 'application/json' } }), 401],
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

describe('the lane for callbacks', () => {
  test('leaves all other requests to whoever had them before', async () => {
    for (const [path, method] of [
      ['/api/v1/callbacks', 'GET'],
      ['/api/v1/callbacks/more', 'POST'],
      ['/api/v1/callbacksx', 'POST'],
      ['/', 'GET'],
    ] as const) {
      expect((await fetch(new URL(path, url), { method })).status).toBe(418);
    }
    expect((await fetch(`${url}?x=1`, { method: 'POST', body: '{}' })).status).toBe(400);
  });

  test('finds the servers of its process by itself, whoever makes them', async () => {
    openLanes();
    const made = createServer((_, response) => response.writeHead(418).end());
    made.listen(0, '127.0.0.1');
    await once(made, 'listening');
    const { port } = made.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/callbacks`, { method: 'POST', body: '' });
    expect(response.status).toBe(400);
    expect(response.headers.get('x-request-id')).not.toBeNull();
    made.closeAllConnections();
    made.close();
  });
});
