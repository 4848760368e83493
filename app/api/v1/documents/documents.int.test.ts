import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bearer, call, createTestApp, form, type TestApp } from '@/test/api';
import { POST as postExtraction } from '../extractions/route';
import { GET } from './[id]/content/route';

let app: TestApp;
let auditor: Record<string, string>;
const CONTENT = '0123456789';

beforeAll(async () => {
  app = await createTestApp();
  auditor = await bearer('auditor');
});
afterAll(() => app.close());

async function store(name: string): Promise<string> {
  const response = await call(postExtraction, {
    body: form({ agent: 'auto' }, [[name, CONTENT]]),
    headers: auditor,
  });
  return (await response.json()).tasks[0].documentId;
}
const get = (id: string, headers: Record<string, string> = {}) =>
  call(GET, { params: { id }, headers: { ...auditor, ...headers } });

describe('the content of a document', () => {
  test('is served whole, never sniffed, never as part of our origin', async () => {
    const response = await get(await store('résumé "x"; y.pdf'));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(CONTENT);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '10',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'accept-ranges': 'bytes',
    });
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename=".*"; filename\*=UTF-8''/);
  });

  test.each([
    ['한글파일.pdf', '한글파일.pdf'],
    // As a Mac sends it: letters and their marks apart.
    ['Beleg für Café.pdf'.normalize('NFD'), 'Beleg für Café.pdf'.normalize('NFC')],
    ['🧾 Rechnung 👩‍👩‍👧.pdf', '🧾 Rechnung 👩‍👩‍👧.pdf'],
    ['חשבונית.pdf', 'חשבונית.pdf'],
    ['it\'s "quoted" 100%.pdf', 'it\'s "quoted" 100%.pdf'],
    ['../../../etc/passwd.pdf', 'passwd.pdf'],
    [`${'가'.repeat(83)}.pdf`, `${'가'.repeat(83)}.pdf`],
  ])('B43: keeps its name %j from the upload to the download', async (sent, kept) => {
    const id = await store(sent);
    const { rows } = await app.db.$client.query('select filename from tickmark.documents where id = $1', [
      id,
    ]);
    expect(rows[0].filename).toBe(kept);
    const header = (await get(id)).headers.get('content-disposition') ?? '';
    // Plain names need no second form; all others have one that is UTF-8, whatever the first one lost.
    const encoded = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1];
    const [, quoted, bare] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/.exec(header) ?? [];
    const plain = quoted?.replace(/\\(.)/g, '$1') ?? bare;
    expect(encoded === undefined ? plain : decodeURIComponent(encoded)).toBe(kept);
  });

  test('of another kind is a download, whatever the file says it is', async () => {
    const response = await get(await store('page.html'));
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-500', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, CONTENT, null],
    ['bytes=0-1,3-4', 200, CONTENT, null],
    ['lines=1-2', 200, CONTENT, null],
    ['bytes=99999999999999999999-', 200, CONTENT, null],
  ])('for the range %s gives %i', async (range, status, body, contentRange) => {
    const response = await get(await store('a.pdf'), { range });
    expect({
      status: response.status,
      body: await response.text(),
      contentRange: response.headers.get('content-range'),
    }).toEqual({ status, body, contentRange });
  });

  test('that the browser has already is not sent again; a changed one is sent whole', async () => {
    const id = await store('a.pdf');
    const etag = (await get(id)).headers.get('etag') ?? '';
    expect((await get(id, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(id, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await get(id, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });

  test('that is gone from the store is 404, like a document that never was', async () => {
    const stored = await app.runtime.documents.put(Readable.from([Buffer.from('gone')]), { maxBytes: 100 });
    const { rows } = await app.db.$client.query(
      `insert into tickmark.documents (sha256, filename, size_bytes, storage_uri) values ($1, 'a.pdf', 4, $2) returning id`,
      [stored.sha256, stored.uri],
    );
    await app.runtime.documents.remove(stored.uri);
    expect((await get(rows[0].id)).status).toBe(404);
    expect((await get('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  });

  test.each([
    ['was taken away by hand', `sha256:${'a'.repeat(64)}`],
    ['was made up', 'generated:1'],
    ['is kept somewhere else', 's3://bucket/../a.pdf'],
  ])('whose file %s is 404 in words, whole or in part, with one warning and no error', async (_, uri) => {
    const { rows } = await app.db.$client.query(
      `insert into tickmark.documents (sha256, filename, size_bytes, storage_uri) values ($1, 'a.pdf', 4, $2) returning id`,
      ['a'.repeat(64), uri],
    );
    const [warn, error] = [vi.spyOn(app.runtime.log, 'warn'), vi.spyOn(app.runtime.log, 'error')];
    for (const headers of [{}, { range: 'bytes=0-1' }] as Record<string, string>[]) {
      const response = await get(rows[0].id, headers);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({
        status: 404,
        detail: 'The file is no longer in the document store.',
      });
      expect([warn.mock.calls.length, error.mock.calls.length]).toEqual([1, 0]);
      warn.mockClear();
    }
    vi.restoreAllMocks();
  });
});
