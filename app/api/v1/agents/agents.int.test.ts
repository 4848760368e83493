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

  test('N2: show the limits that are set, and the effective ones that a 429 has lowered: why, since when, and the next step up', async () => {
    await patch('general', { maxConcurrentTasks: 9, maxTpm: null });
    await app.db.$client.query(`
      update tickmark.settings set max_concurrent_tasks = null, max_tpm = null;
      update tickmark.agents set lowered_concurrent_tasks = 3, lowered_at = now(), adapted_at = now(), lowered_reason = 'rate_limited: slower',
        estimate_token_error = 0.25 where id = 'general'`);
    const list = AgentList.parse(await (await call(GET, { headers: operator })).json());
    expect(list.agents.find(({ id }) => id === 'general')).toMatchObject({
      maxConcurrentTasks: 9,
      effective: { maxConcurrentTasks: 3, maxTpm: null },
      lowered: {
        maxConcurrentTasks: 3,
        maxTpm: null,
        reason: 'rate_limited: slower',
        next: { maxConcurrentTasks: 4, maxTpm: null },
      },
      estimates: { version: null, tokenError: 0.25 },
    });
    const { since, next } = list.agents.find(({ id }) => id === 'general')?.lowered ?? {};
    expect(Date.parse(next?.at ?? '') - Date.parse(since ?? '')).toBe(15_000);
    expect(list.agents.find(({ id }) => id === 'auto')?.lowered).toBeNull();
  });

  test('drain: paused until nothing is in flight, then drained; resuming ends it', async () => {
    const { rows } = await app.db.$client.query(
      `insert into tickmark.tasks (agent_id, status) values ('contract', 'processing') returning id`,
    );
    expect((await patch('contract', { draining: true })).body).toMatchObject({
      paused: true,
      state: 'draining',
    });
    await app.db.$client.query(`update tickmark.tasks set status = 'completed' where id = $1`, [rows[0].id]);
    expect((await patch('contract', {})).body).toMatchObject({ paused: true, state: 'drained' });
    expect((await patch('contract', { paused: false })).body).toMatchObject({ paused: false, state: 'open' });
    expect((await patch('contract', { paused: true })).body.state).toBe('paused');
  });

  test('have an order and a retry policy of their own', async () => {
    const changes = { fair: true, retryBaseSeconds: 0.5, retryFactor: 3, retryCapSeconds: 60 };
    expect((await patch('auto', changes)).body).toMatchObject({ ...changes, ageingSeconds: null });
    expect((await patch('auto', { fair: false, ageingSeconds: 600 })).body).toMatchObject({
      fair: false,
      ageingSeconds: 600,
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
    [{ fair: 'yes' }],
    [{ ageingSeconds: 0 }],
    [{ fair: true, ageingSeconds: 60 }],
    [{ draining: true, paused: false }],
    [{ retryBaseSeconds: -1 }],
    [{ retryFactor: 0.5 }],
    [{ retryCapSeconds: 1e9 }],
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
