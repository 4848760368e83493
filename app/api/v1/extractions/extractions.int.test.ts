import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ExtractionCreated, ExtractionList, UploadAnswer } from '@/lib/contract/api';
import { Problem } from '@/lib/contract/api-problem';
import { bearer, browser, call, createTestApp, form, type TestApp } from '@/test/api';
import { POST as postDocuments } from './[id]/documents/route';
import { GET as getOne } from './[id]/route';
import { GET as getList, POST as postExtraction } from './route';

let app: TestApp;
let auditor: Record<string, string>;

beforeAll(async () => {
  app = await createTestApp();
  auditor = await bearer('auditor');
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.$client.query(
    'truncate tickmark.tasks, tickmark.task_attempts, tickmark.task_events, tickmark.callback_deliveries, tickmark.documents, tickmark.extractions, tickmark.idempotency_keys cascade',
  );
});

const countRows = async (table: string) =>
  Number((await app.db.$client.query(`select count(*) as n from tickmark.${table}`)).rows[0].n);

async function create(json: object = { agent: 'invoice' }, headers: Record<string, string> = {}) {
  const response = await call(postExtraction, { json, headers: { ...auditor, ...headers } });
  return { response, body: await response.json() };
}

async function upload(id: string, files: [string, BlobPart][], headers: Record<string, string> = {}) {
  const response = await call(postDocuments, {
    params: { id },
    body: form({}, files),
    headers: { ...auditor, ...headers },
    method: 'POST',
  });
  return { response, body: await response.json() };
}

describe('opening an extraction', () => {
  test('M1: from JSON gives 201 with the extraction and no tasks', async () => {
    const { response, body } = await create({
      agent: 'invoice',
      client: 'Smith, Jones',
      name: 'Q3',
      priority: 7,
    });
    expect(response.status).toBe(201);
    const created = ExtractionCreated.parse(body);
    expect(created).toMatchObject({ tasks: [], rejected: [] });
    expect(created.extraction).toMatchObject({
      client: 'Smith, Jones',
      name: 'Q3',
      agent: 'invoice',
      priority: 7,
    });
    const one = await call(getOne, { params: { id: created.extraction.id }, headers: auditor });
    expect(await one.json()).toEqual(created.extraction);
  });

  test('M1: from multipart takes fields and files, and rejects an empty and a too large one by itself', async () => {
    const response = await call(postExtraction, {
      body: form({ agent: 'auto', client: 'Acme', priority: '90' }, [
        ['a.pdf', 'one'],
        ['empty.pdf', ''],
        ['big.pdf', new Uint8Array(1024 * 1024 + 1)],
        ['a.pdf', 'one'],
      ]),
      headers: auditor,
    });
    expect(response.status).toBe(201);
    const created = ExtractionCreated.parse(await response.json());
    expect(created.tasks.map(({ filename, status }) => [filename, status])).toEqual([
      ['a.pdf', 'enqueued'],
      ['a.pdf', 'enqueued'],
    ]);
    expect(new Set(created.tasks.map((task) => task.documentId)).size).toBe(2);
    expect(created.rejected.map(({ filename, code }) => [filename, code])).toEqual([
      ['empty.pdf', 'empty_file'],
      ['big.pdf', 'too_large'],
    ]);
    expect(created.extraction).toMatchObject({ priority: 90, counts: { enqueued: 2 } });
    // The same content is stored once, and what was turned away leaves nothing.
    const stored = (
      await readdir(path.join(app.home, 'documents'), { recursive: true, withFileTypes: true })
    ).filter((entry) => entry.isFile());
    expect(stored).toHaveLength(1);
    const { rows } = await app.db.$client.query(
      'select priority, actor from tickmark.tasks t join tickmark.task_events e on e.task_id = t.id',
    );
    expect(rows).toEqual([
      { priority: 90, actor: 'user:test-auditor' },
      { priority: 90, actor: 'user:test-auditor' },
    ]);
  });

  test('M32: a premium client goes first unless a priority is given', async () => {
    await app.db.$client.query(
      "insert into tickmark.clients (name, tier) values ('Gold', 'premium') on conflict do nothing",
    );
    expect((await create({ agent: 'invoice', client: 'Gold' })).body.extraction.priority).toBe(70);
    expect((await create({ agent: 'invoice', client: 'Gold', priority: 10 })).body.extraction.priority).toBe(
      10,
    );
    expect((await create({ agent: 'invoice', client: 'Lead' })).body.extraction.priority).toBe(50);
  });

  test.each([
    ['an unknown agent', { agent: 'nobody' }, 400],
    ['no agent', { client: 'x' }, 400],
    ['a priority out of range', { agent: 'invoice', priority: 101 }, 400],
    ['a name that is no text', { agent: 'invoice', name: { a: 1 } }, 400],
    ['an endless name', { agent: 'invoice', name: 'n'.repeat(100_000) }, 400],
  ])('with %s is refused in words and leaves nothing', async (_, json, status) => {
    const { response, body } = await create(json);
    expect(response.status).toBe(status);
    expect(Problem.parse(body).detail).not.toBe('');
    expect(await countRows('extractions')).toBe(0);
  });

  test('with another content type, or with text that is no JSON, is refused', async () => {
    const xml = await call(postExtraction, {
      body: '<a/>',
      headers: { ...auditor, 'content-type': 'text/xml' },
    });
    expect(xml.status).toBe(415);
    const broken = await call(postExtraction, {
      body: '{"agent":',
      headers: { ...auditor, 'content-type': 'application/json' },
    });
    expect(broken.status).toBe(400);
  });

  test('by a signed-in person from our own page works without a token', async () => {
    const response = await call(postExtraction, {
      json: { agent: 'invoice' },
      headers: await browser('auditor'),
    });
    expect(response.status).toBe(201);
    expect((await response.json()).extraction.submittedBy).toBe('local-auditor');
  });
});

describe('uploading', () => {
  test('M1: adds many files in their order', async () => {
    const { body } = await create();
    const files = Array.from({ length: 300 }, (_, n): [string, string] => [`${n}.pdf`, `content ${n % 7}`]);
    const uploaded = await upload(body.extraction.id, files);
    expect(uploaded.response.status).toBe(201);
    expect(UploadAnswer.parse(uploaded.body).tasks.map((task) => task.filename)).toEqual(
      files.map(([name]) => name),
    );
    expect(await countRows('documents')).toBe(300);
  });

  test.each([
    ['a path upwards', '../../etc/passwd.pdf', 'passwd.pdf'],
    ['a Windows path', 'C:\\temp\\a.pdf', 'a.pdf'],
    ['emoji and letters of other scripts', '発票 🧾 فاتورة.pdf', '発票 🧾 فاتورة.pdf'],
    ['quotation marks', 'a "b".pdf', 'a "b".pdf'],
    ['a mark that turns the direction', 'invoice\u202Efdp.pdf', 'invoicefdp.pdf'],
    ['a lone surrogate', 'a\ud800b.pdf', 'a\ufffdb.pdf'],
  ])('keeps a name with %s as one that can be shown', async (_, sent, kept) => {
    const { body } = await create();
    const { response, body: answer } = await upload(body.extraction.id, [[sent, 'x']]);
    expect(response.status).toBe(201);
    expect(answer.tasks[0].filename).toBe(kept);
  });

  test('B42, B43: keeps a file whose name holds NUL or is 300 characters long', async () => {
    const { body } = await create();
    const boundary = 'b0';
    const part = (name: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\ncontent-type: application/pdf\r\n\r\nbytes\r\n`;
    const raw = `${part('a\u0000b.pdf')}${part(`${'n'.repeat(300)}.pdf`)}--${boundary}--\r\n`;
    const response = await call(postDocuments, {
      params: { id: body.extraction.id },
      body: raw,
      headers: { ...auditor, 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    const answer = await response.json();
    expect({ status: response.status, kept: answer.tasks?.length }).toEqual({ status: 201, kept: 2 });
    expect(answer.tasks[1].filename).toMatch(/^n+….pdf$/);
  });

  test('to an extraction that is not there is 404, to no id at all 400', async () => {
    const missing = await upload('00000000-0000-4000-8000-000000000000', [['a.pdf', 'x']]);
    expect(missing.response.status).toBe(404);
    expect((await upload('nonsense', [['a.pdf', 'x']])).response.status).toBe(400);
  });

  test('without a file, with a field behind a file, or with half a body is refused and leaves no row', async () => {
    const { body } = await create();
    expect((await upload(body.extraction.id, [])).response.status).toBe(400);
    const late = form({}, [['a.pdf', 'x']]);
    late.append('agent', 'invoice');
    const lateAnswer = await call(postExtraction, { body: late, headers: auditor });
    expect(lateAnswer.status).toBe(400);
    const half = await call(postDocuments, {
      params: { id: body.extraction.id },
      body: '--b\r\ncontent-disposition: form-data; name="files"; filename="a.pdf"\r\n\r\nhalf',
      headers: { ...auditor, 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(half.status).toBe(400);
    expect(await countRows('documents')).toBe(0);
  });

  test('of a part without a file name is refused in words that say so, and leaves no row', async () => {
    const body = new FormData();
    body.append('agent', 'invoice');
    body.append('files', 'what should have been a file');
    const response = await call(postExtraction, { body, headers: auditor, method: 'POST' });
    expect(response.status).toBe(400);
    expect(Problem.parse(await response.json()).detail).toContain('has no file name');
    expect(await countRows('extractions')).toBe(0);
  });

  test('that is broken off half-way leaves neither a row nor a draft in the store', async () => {
    const { body } = await create();
    const controller = new AbortController();
    const stream = new ReadableStream<Uint8Array>({
      start(out) {
        const head = '--b\r\ncontent-disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n';
        out.enqueue(new TextEncoder().encode(`${head}${'x'.repeat(200_000)}`));
      },
      pull: () => controller.abort(),
    });
    const response = await call(postDocuments, {
      method: 'POST',
      params: { id: body.extraction.id },
      body: stream,
      signal: controller.signal,
      headers: { ...auditor, 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await countRows('documents')).toBe(0);
    expect(await readdir(path.join(app.home, 'documents', '.incoming'))).toEqual([]);
  });
});

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'once-1' };

  test('gives the first answer again, for JSON and for files', async () => {
    const first = await create({ agent: 'invoice' }, key);
    const again = await create({ agent: 'invoice' }, key);
    expect(again.response.status).toBe(201);
    expect(again.body).toEqual(first.body);
    const id = first.body.extraction.id;
    const one = await upload(id, [['a.pdf', 'x']], key);
    const two = await upload(id, [['a.pdf', 'x']], key);
    expect(two.body).toEqual(one.body);
    expect(await countRows('extractions')).toBe(1);
    expect(await countRows('tasks')).toBe(1);
  });

  test('B29: used at once by twenty requests makes one extraction', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ agent: 'invoice' }, key)));
    expect(new Set(answers.map(({ body }) => body.extraction.id)).size).toBe(1);
    expect(await countRows('extractions')).toBe(1);
  });

  test('for something else is 422; of another person it is another key', async () => {
    await create({ agent: 'invoice' }, key);
    expect((await create({ agent: 'contract' }, key)).response.status).toBe(422);
    const other = await create({ agent: 'contract' }, { ...key, ...(await bearer('operator')) });
    expect(other.response.status).toBe(201);
    const { body } = await create({ agent: 'invoice' }, key);
    await upload(body.extraction.id, [['a.pdf', 'x']], key);
    expect((await upload(body.extraction.id, [['a.pdf', 'y']], key)).response.status).toBe(422);
  });

  test('B50: is not kept by a request that failed', async () => {
    expect((await create({ agent: 'nobody' }, key)).response.status).toBe(400);
    expect((await create({ agent: 'invoice' }, key)).response.status).toBe(201);
  });
});

describe('the list', () => {
  test('pages through all extractions once, newest first, under filters', async () => {
    for (let n = 0; n < 25; n += 1)
      await create({ agent: n % 2 ? 'invoice' : 'contract', client: `c${n % 3}`, name: `n${n}` });
    // The same microsecond for all: the id alone must carry the page.
    await app.db.$client.query("update tickmark.extractions set created_at = '2026-01-02T03:04:05.678901Z'");
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const response: Response = await call(getList, {
        query: `?limit=4&cursor=${cursor}`,
        headers: auditor,
      });
      const page = ExtractionList.parse(await response.json());
      seen.push(...page.extractions.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    const filtered = await call(getList, { query: '?agent=contract&client=c0', headers: auditor });
    const { extractions } = ExtractionList.parse(await filtered.json());
    expect(extractions.every(({ agent, client }) => agent === 'contract' && client === 'c0')).toBe(true);
    expect(extractions).toHaveLength(5);
  });
});
