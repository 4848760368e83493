import { request as send } from 'node:http';
import { z } from 'zod';
import { UploadAnswer } from '@/lib/contract/api';
import { Problem } from '@/lib/contract/api-problem';
import { madeInvoice, NOT_A_PDF } from './documents';
import { expect, test } from './fixtures';

const files = async (...names: string[]) =>
  Promise.all(names.map(async (name) => ({ name, bytes: await madeInvoice(name) })));

test('one multipart request opens an extraction with files, and more can be added', async ({ apiAs }) => {
  const api = await apiAs('auditor');
  const created = await api.submit(
    { agent: 'invoice', client: 'Moorland Estates', name: 'By script', priority: 61 },
    [...(await files('a.pdf', 'a.pdf')), { name: 'nothing.pdf', bytes: Buffer.alloc(0) }],
  );
  expect(created.tasks.map(({ filename, status }) => [filename, status])).toEqual([
    ['a.pdf', 'enqueued'],
    ['a.pdf', 'enqueued'],
  ]);
  expect(created.rejected).toMatchObject([{ filename: 'nothing.pdf', code: 'empty_file' }]);
  const { id } = created.extraction;
  const form = new FormData();
  form.append('files', new File([NOT_A_PDF], 'notes.pdf', { type: 'application/pdf' }));
  const headers = { 'idempotency-key': `more-${id}` };
  const add = () => api.request.post(`/api/v1/extractions/${id}/documents`, { multipart: form, headers });
  const [first, again] = [await add(), await add()];
  expect(first.status()).toBe(201);
  expect(await again.json(), 'the same key gives the same answer').toEqual(await first.json());
  const [added] = UploadAnswer.parse(await first.json()).tasks;
  const task = await api.until(added?.id ?? '', 'failed');
  expect(task.errorCode).toBe('not_a_pdf');
  expect(task.attempts, 'no run was started for it').toEqual([]);
  for (const { id: each } of created.tasks) await api.until(each, 'completed');
  expect(await api.extraction(id)).toMatchObject({
    client: 'Moorland Estates',
    name: 'By script',
    agent: 'invoice',
    progress: 1,
    counts: { enqueued: 0, processing: 0, completed: 2, failed: 1, cancelled: 0 },
  });
});

test('tasks are listed page by page, none twice and none left out', async ({ apiAs }) => {
  const api = await apiAs('auditor');
  const names = ['1.pdf', '2.pdf', '3.pdf'];
  const { extraction, tasks } = await api.submit({ agent: 'invoice' }, await files(...names));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await api.tasks({
      extraction: extraction.id,
      sort: 'created',
      limit: '1',
      ...(cursor && { cursor }),
    });
    expect(page.tasks.length).toBeLessThanOrEqual(1);
    seen.push(...page.tasks.map((task) => task.id));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen.sort()).toEqual(tasks.map((task) => task.id).sort());
});

test('a document is handed out whole or in part, and never as something to run', async ({ apiAs }) => {
  const api = await apiAs('auditor');
  const [file] = await files('ranges.pdf');
  const bytes = Buffer.from(file?.bytes ?? []);
  const { tasks } = await api.submit({ agent: 'invoice' }, file ? [file] : []);
  const address = `/api/v1/documents/${tasks[0]?.documentId}/content`;
  const get = (range?: string) => api.request.get(address, { headers: range ? { range } : {} });
  const whole = await get();
  expect(whole.status()).toBe(200);
  expect(Buffer.compare(await whole.body(), bytes)).toBe(0);
  expect(whole.headers()).toMatchObject({
    'content-type': 'application/pdf',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  });
  expect(whole.headers()['content-security-policy']).toContain('sandbox');
  const part = await get('bytes=5-9');
  expect(part.status()).toBe(206);
  expect(part.headers()['content-range']).toBe(`bytes 5-9/${bytes.length}`);
  expect(await part.text()).toBe(bytes.subarray(5, 10).toString());
  expect(await (await get('bytes=-6')).body()).toEqual(bytes.subarray(-6));
  expect((await get(`bytes=${bytes.length}-`)).status()).toBe(416);
});

const OpenApi = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ security: z.array(z.unknown()).optional() }))),
});

test('a stranger is refused on every path of the API’s description', async ({
  apiAs,
  instance,
  playwright,
}) => {
  const api = await apiAs('auditor');
  const description = OpenApi.parse(await (await api.request.get('/api/v1/openapi.json')).json());
  const stranger = await playwright.request.newContext({ baseURL: instance.appUrl });
  let asked = 0;
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const [method, { security }] of Object.entries(operations)) {
      // Callbacks are signed instead.
      if (security?.length === 0) continue;
      const address = path.replace('{id}', '00000000-0000-4000-8000-000000000000');
      const answer = await stranger.fetch(address, { method });
      expect(answer.status(), `${method} ${path}`).toBe(401);
      expect(answer.headers()['content-type']).toBe('application/problem+json');
      expect(Problem.parse(await answer.json()).status).toBe(401);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(12);
  for (const probe of ['/healthz', '/readyz']) expect((await stranger.get(probe)).status()).toBe(200);
  expect((await stranger.get('/metrics')).status()).toBe(401);
  await stranger.dispose();
});

test('what is wrong with a request is said as RFC 9457 asks', async ({ apiAs }) => {
  const { request } = await apiAs('auditor');
  const problemOf = async (answer: Awaited<ReturnType<typeof request.get>>) => {
    expect(answer.headers()['content-type']).toBe('application/problem+json');
    const problem = Problem.parse(await answer.json());
    expect(problem.status).toBe(answer.status());
    return problem;
  };
  const wrong = await problemOf(
    await request.post('/api/v1/extractions', { data: { agent: 'invoice', priority: 101 } }),
  );
  expect(wrong).toMatchObject({ status: 400, errors: [{ path: 'priority' }] });
  const unknown = await problemOf(await request.get('/api/v1/tasks/00000000-0000-4000-8000-000000000000'));
  expect(unknown.status).toBe(404);
  const noAgent = await problemOf(await request.post('/api/v1/extractions', { data: { agent: 'nobody' } }));
  expect(noAgent.detail).toContain('nobody');
});

// On Databricks the proxy decides by which names the app is reached.
test('a request that names another host is refused, for pages and for the API', { tag: '@embedded' }, async ({
  instance,
}) => {
  const { hostname, port } = new URL(instance.appUrl);
  const statusOf = (path: string, host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      send({ hostname, port, path, headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  for (const path of ['/signin', '/api/v1/tasks', '/api/auth/csrf']) {
    expect(await statusOf(path, 'rebound.example'), path).toBe(400);
  }
  expect(await statusOf('/signin', `localhost:${port}`)).toBe(200);
});
