import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attemptKey, signDelivery } from '@/lib/contract/signature';
import { readExtractionList } from '@/lib/dashboard/extraction-list';
import { readMetrics } from '@/lib/dashboard/metrics/read-metrics';
import { readTaskList } from '@/lib/dashboard/task-list';
import { claimTasks } from '@/lib/queue/claim';
import { enqueueTask } from '@/lib/queue/enqueue';
import { ADMIN_TOKEN, bearer, call, createTestApp, type TestApp, WEBHOOK_SECRET } from '@/test/api';
import { writeExtraction, writeTask } from '@/test/story';
import { PATCH as patchAgent } from './api/v1/agents/[id]/route';
import { GET as getAgents } from './api/v1/agents/route';
import { POST as postCallback } from './api/v1/callbacks/route';
import { GET as getContent } from './api/v1/documents/[id]/content/route';
import { POST as postDocuments } from './api/v1/extractions/[id]/documents/route';
import { GET as exportOne } from './api/v1/extractions/[id]/export/route';
import { GET as getExtraction } from './api/v1/extractions/[id]/route';
import { GET as getExtractions, POST as postExtraction } from './api/v1/extractions/route';
import { GET as getMetrics } from './api/v1/metrics/route';
import { POST as cancel } from './api/v1/tasks/[id]/cancel/route';
import { GET as getTask, PATCH as patchTask } from './api/v1/tasks/[id]/route';
import { GET as getTasks } from './api/v1/tasks/route';

let app: TestApp;
let admin: Record<string, string>;
let extractionId: string;
let taskId: string;

beforeAll(async () => {
  app = await createTestApp();
  admin = await bearer('admin');
  extractionId = await writeExtraction(app.db, { client: 'Acme' });
  taskId = await writeTask(app.db, { extractionId });
});
afterAll(() => app.close());

/** Text that breaks things: NUL, halves of surrogates, percent signs, quotes, marks that turn the direction. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    'a\udfffb',
    '%00',
    '%',
    '\\',
    "'; drop table tasks; --",
    '\u202e',
    '{}',
    '__proto__',
    'NaN',
    '-0',
    '1e999',
    'null',
    'ﬃ'.repeat(300),
  ),
);
/** JSON that breaks things. */
const json = fc.oneof(
  fc.jsonValue(),
  fc.record(
    { agent: nasty, client: nasty, name: nasty, priority: fc.oneof(fc.double(), nasty) },
    { requiredKeys: [] },
  ),
  fc.record({ agent: fc.constant('invoice'), client: nasty, name: nasty }, { requiredKeys: ['agent'] }),
  fc.record({ priority: fc.oneof(fc.double(), fc.bigInt().map(String), nasty) }),
  fc.record(
    { maxTpm: fc.double(), maxConcurrentTasks: fc.double(), leaseSeconds: nasty },
    { requiredKeys: [] },
  ),
);

const RUNS = { numRuns: 150 };

async function survives(response: Response): Promise<void> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 500),
  });
  if (response.status >= 400) expect(response.headers.get('content-type')).toBe('application/problem+json');
}

describe('invariant 9: nothing from outside makes a 500 or a row that breaks a later read', () => {
  test('no query', async () => {
    const names = [
      'status',
      'agent',
      'client',
      'extraction',
      'from',
      'to',
      'q',
      'sort',
      'cursor',
      'limit',
      'format',
      '__proto__',
    ];
    const pair = fc.tuple(fc.constantFrom(...names), nasty);
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { maxLength: 6 }), async (pairs) => {
        const query = `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`;
        for (const handler of [getTasks, getExtractions, getMetrics, getAgents]) {
          await survives(await call(handler, { query, headers: admin }));
        }
        await survives(await call(exportOne, { query, params: { id: extractionId }, headers: admin }));
      }),
      RUNS,
    );
  });

  test('no instant, however far away', async () => {
    const instant = fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom(
        '0000-01-01',
        '0001-01-01T00:00:00Z',
        '9999-12-31T23:59:59-23:59',
        '9999-12-31',
        '2026-02-30',
        '+275760-09-13T00:00:00Z',
        '2026-01-01T24:00:00Z',
        '2026-06-30T23:59:60Z',
        '2026-01-01T00:00:00.123456789Z',
      ),
    );
    await fc.assert(
      fc.asyncProperty(instant, instant, async (from, to) => {
        const query = `?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;
        await survives(await call(getTasks, { query, headers: admin }));
        await survives(await call(getMetrics, { query, headers: admin }));
      }),
      RUNS,
    );
  });

  test('no cursor, whatever is in it', async () => {
    const cursor = fc
      .record({
        sort: fc.constantFrom('-created', 'confidence', '-finished', 'priority', 'extractions'),
        value: fc.oneof(fc.double(), fc.constantFrom(null, 1e17, -1e17, 2.5e17, -6.3e16, 0.5)),
        id: fc.oneof(fc.uuid(), nasty),
      })
      .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(cursor, nasty),
        fc.constantFrom('-created', 'confidence', '-finished', 'priority'),
        async (text, sort) => {
          const query = `?sort=${sort}&cursor=${encodeURIComponent(text.toWellFormed())}`;
          await survives(await call(getTasks, { query, headers: admin }));
          await survives(await call(getExtractions, { query, headers: admin }));
        },
      ),
      RUNS,
    );
  });

  test('no filter that a page hands on unchecked', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, async (text) => {
        const task = { q: text, client: [text], agent: [text], sort: '-created' as const, limit: 1 };
        await readTaskList(app.db, task);
        await readExtractionList(app.db, { q: text, client: [text], agent: [text], limit: 1 });
        await readMetrics(app.db, { client: [text], agent: [text] }, null, { computeUsdPerHour: null });
      }),
      RUNS,
    );
  });

  test('no id in a path', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, async (id) => {
        for (const handler of [getTask, getExtraction, getContent, exportOne]) {
          await survives(await call(handler, { params: { id }, headers: admin }));
        }
        await survives(await call(cancel, { params: { id }, method: 'POST', headers: admin }));
        await survives(await call(patchAgent, { params: { id }, method: 'PATCH', json: {}, headers: admin }));
      }),
      RUNS,
    );
  });

  test('no JSON body, and what is stored of it can be read again', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (body) => {
        await survives(await call(postExtraction, { json: body, headers: admin }));
        await survives(
          await call(patchTask, { json: body, method: 'PATCH', params: { id: taskId }, headers: admin }),
        );
        await survives(
          await call(patchAgent, { json: body, method: 'PATCH', params: { id: 'invoice' }, headers: admin }),
        );
      }),
      RUNS,
    );
    await survives(await call(getExtractions, { query: '?limit=200', headers: admin }));
    await survives(await call(getAgents, { headers: admin }));
  });

  test('no bytes in the place of a body', async () => {
    const types = fc.constantFrom(
      'application/json',
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'text/plain',
      '',
      'application/json; charset=utf-16',
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .array(
          fc.constantFrom(
            '--b',
            '--b--',
            '\r\n',
            '\r\n\r\n',
            'content-disposition: form-data; name="files"; filename="a.pdf"',
            'content-disposition: form-data; name="agent"',
            'content-type: application/pdf',
            'invoice',
            '\u0000',
            'x',
          ),
        )
        .map((parts) => new TextEncoder().encode(parts.join(''))),
      fc.constant(new TextEncoder().encode('['.repeat(200_000))),
    );
    await fc.assert(
      fc.asyncProperty(types, bytes, async (type, body) => {
        const options = {
          method: 'POST',
          body: body as BodyInit,
          headers: { ...admin, 'content-type': type },
        };
        await survives(await call(postExtraction, options));
        await survives(await call(postDocuments, { ...options, params: { id: extractionId } }));
        await survives(await call(postCallback, { ...options, headers: { 'content-type': type } }));
      }),
      RUNS,
    );
  });

  test('no file name, and every file is either a task or rejected', async () => {
    const part = (name: string) =>
      `--b\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\nbytes\r\n`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          nasty.map((name) => name.replaceAll(/["\r\n\\]/g, '')),
          { minLength: 1, maxLength: 4 },
        ),
        async (names) => {
          const response = await call(postDocuments, {
            method: 'POST',
            params: { id: extractionId },
            body: new TextEncoder().encode(`${names.map(part).join('')}--b--\r\n`) as BodyInit,
            headers: { ...admin, 'content-type': 'multipart/form-data; boundary=b' },
          });
          const answer = await response.clone().json();
          await survives(response);
          expect(answer.tasks?.length + answer.rejected?.length).toBe(names.length);
        },
      ),
      RUNS,
    );
    await survives(await call(getTasks, { query: '?limit=200', headers: admin }));
  });

  test('no header', async () => {
    const value = fc.oneof(
      fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((n) => String.fromCharCode(n)) }),
      fc.constantFrom('', 'a'.repeat(5_000), '=', ';', 'Bearer', 'Bearer  x', `Bearer ${'x'.repeat(9_000)}`),
    );
    const names = fc.constantFrom(
      'authorization',
      'cookie',
      'host',
      'origin',
      'idempotency-key',
      'range',
      'content-type',
      'last-event-id',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'if-range',
      'sec-fetch-site',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(names, value), { maxLength: 4 }), async (pairs) => {
        const headers = {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          ...Object.fromEntries(pairs.map(([name, text]) => [name, text.trim()])),
        };
        await survives(await call(postExtraction, { json: { agent: 'invoice' }, headers }));
        await survives(await call(getTasks, { headers }));
        await survives(await call(getContent, { headers, params: { id: randomUUID() } }));
        await survives(await call(postCallback, { json: {}, headers }));
      }),
      RUNS,
    );
  });

  test('no signed callback, however deep or strange its values, and the task can be read afterwards', async () => {
    // Written into the text: a value of this depth could not even be printed by the test itself.
    const deepen = (body: string) =>
      body.replaceAll(/"@deep:(\d+)"/g, (_, n) => `${'['.repeat(Number(n))}1${']'.repeat(Number(n))}`);
    const value = fc.oneof(
      fc.jsonValue(),
      nasty,
      fc.constantFrom(1e308, -1e308, 5e-324),
      fc.constantFrom('@deep:50', '@deep:5000', '@deep:100000'),
    );
    const field = fc.record({
      name: nasty,
      value,
      confidence: fc.option(fc.double()),
      page: fc.oneof(fc.integer(), fc.constant(null)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(field, { maxLength: 3 }),
        nasty,
        fc.constantFrom('attempt.succeeded', 'attempt.failed', 'attempt.progress'),
        async (fields, words, type) => {
          const estimate = { tokens: 1, seconds: 1 };
          await enqueueTask(app.db, {
            agentId: 'general',
            priority: 100,
            input: {},
            estimate,
            actor: 'test',
          });
          const [attempt] = await claimTasks(app.db, { workerId: 'w', limit: 1, leaseSeconds: 60 });
          if (!attempt) throw new Error('nothing was claimed');
          const body = deepen(
            JSON.stringify({
              type,
              taskId: attempt.taskId,
              attemptId: attempt.attemptId,
              runId: words,
              result: { documentType: words, confidence: 0.5, fields },
              error: { code: words || 'x', message: words, retryable: false },
              usage: { model: words, inputTokens: 3, calls: [{ words, fields }] },
            }),
          );
          const signed = signDelivery(
            attemptKey(WEBHOOK_SECRET, attempt.attemptId),
            randomUUID(),
            new Date(),
            body,
          );
          const headers = {
            'webhook-id': signed.id,
            'webhook-timestamp': signed.timestamp,
            'webhook-signature': signed.signature,
          };
          await survives(
            await call(postCallback, { body, headers: { ...headers, 'content-type': 'application/json' } }),
          );
          await survives(await call(getTask, { params: { id: attempt.taskId }, headers: admin }));
        },
      ),
      { numRuns: 60 },
    );
    await survives(await call(getMetrics, { headers: admin }));
  });
});
