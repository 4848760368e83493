import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentHistory } from '@/lib/contract/api-agents';
import { writeCeilings } from '@/lib/queue/settings';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { GET } from './[id]/history/route';
import { PATCH } from './[id]/route';

let app: TestApp;
let operator: Record<string, string>;
beforeAll(async () => {
  app = await createTestApp();
  operator = await bearer('operator');
});
afterAll(() => app.close());
beforeEach(() => app.db.$client.query('truncate tickmark.agent_history'));

async function history(id: string, query = ''): Promise<AgentHistory> {
  const response = await call(GET, { params: { id }, query, headers: operator });
  expect(response.status).toBe(200);
  return AgentHistory.parse(await response.json());
}
const patch = (id: string, json: unknown) =>
  call(PATCH, { method: 'PATCH', params: { id }, json, headers: operator });

describe('the history of an agent', () => {
  test('tells who changed what, when, from what to what', async () => {
    await patch('invoice', { maxConcurrentTasks: 9, maxTpm: 500 });
    await patch('invoice', { maxConcurrentTasks: 4, draining: true });
    await patch('contract', { paused: true });
    const { changes } = await history('invoice');
    expect(changes.map(({ actor, agent }) => [actor, agent])).toEqual([
      ['user:test-operator', 'invoice'],
      ['user:test-operator', 'invoice'],
    ]);
    expect(changes[0]?.changes.sort((a, b) => a.setting.localeCompare(b.setting))).toEqual([
      { setting: 'draining', from: false, to: true },
      { setting: 'maxConcurrentTasks', from: 9, to: 4 },
      { setting: 'paused', from: false, to: true },
    ]);
    expect(Date.parse(changes[0]?.at ?? '')).toBeGreaterThan(Date.parse(changes[1]?.at ?? ''));
    await patch('invoice', { draining: false, paused: false });
  });

  test('holds what is changed with SQL too, under the name of the role', async () => {
    await app.db.$client.query(`update tickmark.agents set max_attempts = 7 where id = 'general'`);
    const { changes } = await history('general');
    expect(changes).toMatchObject([
      { actor: expect.stringMatching(/^sql:./), changes: [{ setting: 'maxAttempts', from: 3, to: 7 }] },
    ]);
  });

  test('holds the ceilings over all agents, and nothing where nothing was changed', async () => {
    await writeCeilings(app.db, { maxConcurrentTasks: 12, maxTpm: null });
    await writeCeilings(app.db, { maxConcurrentTasks: 12, maxTpm: null });
    await patch('general', { maxAttempts: 7 });
    expect((await history('general')).changes).toMatchObject([
      { agent: null, actor: 'start', changes: [{ setting: 'maxConcurrentTasks', from: null, to: 12 }] },
    ]);
    await writeCeilings(app.db, { maxConcurrentTasks: null, maxTpm: null });
  });

  test('is left alone by what the queue itself writes of an agent', async () => {
    const { rows } = await app.db.$client.query(
      `select pg_get_triggerdef(oid) as def from pg_trigger where tgname = 'agents_history'`,
    );
    for (const own of [
      'cooling_until',
      'lowered',
      'adapted_at',
      'estimate',
      'in_flight_since',
      'drained_at',
    ]) {
      expect(rows[0].def).not.toContain(own);
    }
    await app.db.$client.query(`update tickmark.agents set cooling_until = now() where id = 'general'`);
    expect((await history('general')).changes).toEqual([]);
  });

  test('comes page by page, newest first, each change once', async () => {
    for (let n = 1; n <= 5; n += 1) await patch('auto', { maxConcurrentTasks: n });
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: AgentHistory = await history('auto', `?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.changes.map(({ changes }) => changes[0]?.to));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  test('of an agent that is not there is 404; a cursor that is none is 400', async () => {
    const ask = async (id: string, query = '') =>
      (await call(GET, { params: { id }, query, headers: operator })).status;
    expect(await ask('nobody')).toBe(404);
    for (const cursor of ['x', '-1', '0', '1e3', '99999999999999999999']) {
      expect(await ask('auto', `?cursor=${cursor}`)).toBe(400);
    }
  });
});
