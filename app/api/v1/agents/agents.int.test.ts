import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentList } from '@/lib/contract/api-agents';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { PATCH } from './[id]/route';
import { GET } from './route';

let app: TestApp;
let operator: Record<string, string>;
beforeAll(async () => {
  app = await createTestApp();
  operator = await bearer('operator');
});
afterAll(() => app.close());

const patch = async (id: string, json: unknown) => {
  const response = await call(PATCH, { method: 'PATCH', params: { id }, json, headers: operator });
  return { status: response.status, body: await response.json() };
};

describe('agents', () => {
  test('M10: the throttle mode follows from the limits, the effective ones from the ceilings too', async () => {
    await app.db.$client.query('update tickmark.settings set max_concurrent_tasks = 4, max_tpm = 1000');
    const both = await patch('invoice', { maxConcurrentTasks: 9, maxTpm: 500 });
    expect(both.body).toMatchObject({
      throttleMode: 'both',
      effective: { maxConcurrentTasks: 4, maxTpm: 500 },
    });
    expect((await patch('invoice', { maxConcurrentTasks: null })).body).toMatchObject({
      throttleMode: 'tokens',
      maxTpm: 500,
    });
    expect((await patch('invoice', { maxConcurrentTasks: 0, maxTpm: null })).body.throttleMode).toBe(
      'concurrency',
    );
    expect((await patch('invoice', { maxConcurrentTasks: null })).body.throttleMode).toBe('none');
    expect((await patch('invoice', { paused: true, oversize: 'hold' })).body).toMatchObject({
      paused: true,
      oversize: 'hold',
    });
  });

  test('are listed whole', async () => {
    const list = AgentList.parse(await (await call(GET, { headers: operator })).json());
    expect(list.agents.map(({ id }) => id).sort()).toEqual([
      'auto',
      'contract',
      'financial-report',
      'general',
      'invoice',
    ]);
  });

  test.each([
    [{ maxConcurrentTasks: -1 }],
    [{ maxTpm: 0 }],
    [{ maxTpm: 1e300 }],
    [{ leaseSeconds: 4 }],
    [{ maxAttempts: 0 }],
    [{ paused: 'yes' }],
    [{ oversize: 'never' }],
    [{ id: 'other' }],
    ['text'],
    [null],
  ])('refuse %j with 400', async (json) => {
    expect((await patch('invoice', json)).status).toBe(400);
  });

  test('that are not there are 404', async () => {
    expect((await patch('nobody', { paused: true })).status).toBe(404);
    expect((await patch('no\u0000body', { paused: true })).status).toBe(404);
  });
});
