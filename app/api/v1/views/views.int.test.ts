import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SavedView, SavedViewList } from '@/lib/contract/api-views';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { DELETE } from './[id]/route';
import { GET, POST } from './route';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.db.$client.query('delete from tickmark.saved_views'));
afterAll(() => app.close());

type Who = 'auditor' | 'operator';
const save = async (who: Who, json: unknown) => call(POST, { headers: await bearer(who), json });
const list = async (who: Who) =>
  SavedViewList.parse(await (await call(GET, { headers: await bearer(who) })).json()).views;
const remove = async (who: Who, id: string) =>
  call(DELETE, { method: 'DELETE', headers: await bearer(who), params: { id } });
const failed = { page: 'overview', name: 'What failed', search: 'range=7d&status=failed' };

describe('saved views', () => {
  test('are kept per person, and are nobody else’s', async () => {
    const answer = await save('operator', failed);
    expect(answer.status).toBe(201);
    const view = SavedView.parse(await answer.json());
    expect(view).toMatchObject(failed);
    expect(await list('operator')).toEqual([view]);
    expect(await list('auditor')).toEqual([]);
    expect((await remove('auditor', view.id)).status).toBe(404);
    expect((await remove('operator', view.id)).status).toBe(204);
    expect((await remove('operator', view.id)).status).toBe(404);
    expect(await list('operator')).toEqual([]);
  });

  test('saved again under the same name are replaced, on the same page only', async () => {
    await save('operator', failed);
    await save('operator', { ...failed, name: 'what FAILED', search: 'status=failed' });
    await save('operator', { ...failed, page: 'tasks' });
    expect((await list('operator')).map(({ page, name, search }) => [page, name, search])).toEqual([
      ['overview', 'what FAILED', 'status=failed'],
      ['tasks', 'What failed', 'range=7d&status=failed'],
    ]);
  });

  test('hold filters and nothing else, whatever is sent', async () => {
    const answer = await save('operator', {
      ...failed,
      name: '  A\u0000 name ',
      search: '?q=a b#c&client=\ud800&javascript:alert(1)',
    });
    const { name, search } = SavedView.parse(await answer.json());
    expect(name).toBe('A\uFFFD name');
    expect(`/tasks?${search}`).toBe(new URL(`/tasks?${search}`, 'http://localhost').href.slice(16));
    for (const wrong of [
      {},
      { ...failed, page: 'admin' },
      { ...failed, name: ' ' },
      { ...failed, name: 'x'.repeat(101) },
      { ...failed, search: 'x'.repeat(2_001) },
      { ...failed, owner: 'somebody else' },
    ]) {
      expect((await save('operator', wrong)).status).toBe(400);
    }
  });

  test('are not more than a person finds their way among, and one more is refused with words', async () => {
    await app.db.$client.query(
      `insert into tickmark.saved_views (owner, page, name, search)
       select 'test-operator', 'tasks', 'view ' || n, '' from generate_series(1, 100) n`,
    );
    const answer = await save('operator', failed);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('Remove one first') });
    expect((await save('operator', { ...failed, page: 'tasks', name: 'View 7' })).status).toBe(201);
  });
});
