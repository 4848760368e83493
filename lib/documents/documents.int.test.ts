import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { PgDialect } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RunInput } from '@/lib/contract/run-input';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { createEmbeddedDocumentStore } from '@/lib/platform/document-store/embedded';
import type { DocumentStore } from '@/lib/platform/document-store/port';
import { claimTasks } from '@/lib/queue/claim';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { addDocuments } from './add-documents';
import { createExtraction } from './create-extraction';
import { recordInspection, takeOne, takeUninspected } from './inspect';
import { buildRunInput } from './run-input';

let database: TestDatabase;
let db: Db;
let home: string;
let store: DocumentStore;

beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'tickmark-documents-'));
  store = createEmbeddedDocumentStore(home);
  database = await createTestDatabase();
  db = database.db;
});
afterAll(async () => {
  await database.close();
  await rm(home, { recursive: true });
});
beforeEach(() =>
  db.$client.query('truncate tickmark.extractions, tickmark.task_attempts, tickmark.task_events cascade'),
);

const newExtraction = (change: object = {}) =>
  createExtraction(db, {
    agentId: 'invoice',
    client: null,
    name: null,
    priority: null,
    submittedBy: 'user:test',
    ...change,
  });
async function upload(content = 'bytes', filename = 'a.pdf') {
  const stored = await store.put(Readable.from([Buffer.from(content)]), { maxBytes: 1000 });
  const extraction = await newExtraction();
  const added = await withTransaction(db, (tx) =>
    addDocuments(tx, extraction, [{ filename, stored }], 'user:test'),
  );
  if (!added[0]) throw new Error('no document was added');
  return added[0];
}
const rows = async (query: string, values: unknown[] = []) => (await db.$client.query(query, values)).rows;

test('a client is known from its first extraction on, and its tier sets the priority', async () => {
  expect(await newExtraction({ client: 'Northwind' })).toMatchObject({ priority: 50 });
  await rows("update tickmark.clients set tier = 'premium' where name = 'Northwind'");
  expect(await newExtraction({ client: 'Northwind' })).toMatchObject({ priority: 70 });
  expect(await newExtraction({ client: 'Northwind', priority: 5 })).toMatchObject({ priority: 5 });
});

test('an unknown agent is refused in words, and leaves nothing', async () => {
  await expect(newExtraction({ agentId: 'nobody', client: 'New' })).rejects.toThrow('no agent “nobody”');
  expect(await rows("select 1 from tickmark.clients where name = 'New'")).toEqual([]);
});

test('B50: the same content twice is two documents and two tasks with the bytes stored once', async () => {
  const [one, two] = [await upload('same'), await upload('same')];
  expect(one.taskId).not.toBe(two.taskId);
  const documents = await rows('select distinct storage_uri from tickmark.documents');
  expect(documents).toHaveLength(1);
  expect(await rows('select 1 from tickmark.tasks')).toHaveLength(2);
});

test('each waiting document is inspected by one worker at a time, the most urgent first', async () => {
  const uploads = [await upload('1'), await upload('2'), await upload('3')];
  await rows('update tickmark.tasks set priority = 90 where id = $1', [uploads[2]?.taskId]);
  const [first] = await takeUninspected(db, { workerId: 'w1', limit: 1, holdSeconds: 60 });
  expect(first?.taskId).toBe(uploads[2]?.taskId);
  const taken = await Promise.all([
    takeUninspected(db, { workerId: 'w1', limit: 2, holdSeconds: 60 }),
    takeUninspected(db, { workerId: 'w1', limit: 2, holdSeconds: 60 }),
  ]);
  const ids = taken.flat().map((document) => document.taskId);
  expect(ids.sort()).toEqual([uploads[0]?.taskId, uploads[1]?.taskId].sort());
  expect(await takeUninspected(db, { workerId: 'w1', limit: 10, holdSeconds: 60 })).toEqual([]);
  // The worker that held it died.
  await rows("update tickmark.documents set inspecting_until = now() - interval '1 second'");
  expect(await takeUninspected(db, { workerId: 'w1', limit: 10, holdSeconds: 60 })).toHaveLength(3);
});

test('what a lost worker had in hand is inspected by another at once, not after its hold', async () => {
  await upload('1');
  await rows("insert into tickmark.workers (id, host, pid, version) values ('doomed', 'h', 1, '1')");
  const take = (workerId: string) => takeUninspected(db, { workerId, limit: 1, holdSeconds: 60 });
  expect(await take('doomed')).toHaveLength(1);
  expect(await take('w1')).toHaveLength(0);
  await rows("update tickmark.workers set lost_at = now() where id = 'doomed'");
  expect(await take('w1')).toHaveLength(1);
  expect(await take('w2')).toHaveLength(0);
});

describe('inspection takes turns between extractions', () => {
  /** Waiting documents of an extraction, without a file; no statistics are gathered after it. */
  async function waiting(count: number, priority = 50): Promise<string> {
    const { id } = await newExtraction({ priority });
    await rows(
      `with d as (
        insert into tickmark.documents (sha256, filename, size_bytes, storage_uri)
        select repeat('a', 64), 'a.pdf', 1, 'test:a' from generate_series(1, $1::int) returning id
      )
      insert into tickmark.tasks (agent_id, document_id, extraction_id, priority) select 'invoice', id, $2, $3::int from d`,
      [count, id, priority],
    );
    return id;
  }
  /** Which extraction each of so many documents is of, taken one by one as a worker with one child does. */
  async function taken(count: number, names: Record<string, string>): Promise<string> {
    let letters = '';
    let after: string | null = null;
    for (let n = 0; n < count; n += 1) {
      const [one] = await takeUninspected(db, { workerId: 'w1', limit: 1, holdSeconds: 60, after });
      if (!one) break;
      after = one.extractionId;
      letters += names[one.extractionId] ?? '?';
    }
    return letters;
  }

  test('B17: one of 5,000 files does not hold up one of 5, nor one that has just come', async () => {
    const big = await waiting(5000);
    expect(await taken(3, { [big]: 'a' })).toBe('aaa');
    const small = await waiting(5);
    const names = { [big]: 'a', [small]: 'b' };
    expect([...(await taken(10, names))].filter((name) => name === 'b')).toHaveLength(5);
    const single = await waiting(1);
    expect(await taken(2, { ...names, [single]: 'c' })).toContain('c');
  });

  test('several at once are of as many extractions, and by several workers none is taken twice', async () => {
    for (let n = 0; n < 4; n += 1) await waiting(10);
    const four = await takeUninspected(db, { workerId: 'w1', limit: 4, holdSeconds: 60 });
    expect(new Set(four.map(({ extractionId }) => extractionId)).size).toBe(4);
    const all = await Promise.all(
      Array.from({ length: 6 }, () => takeUninspected(db, { workerId: 'w1', limit: 6, holdSeconds: 60 })),
    );
    const ids = [...four, ...all.flat()].map(({ documentId }) => documentId);
    expect(new Set(ids).size).toBe(40);
  });

  test('turns are taken among the most urgent alone', async () => {
    const low = await waiting(5, 10);
    const [one, two] = [await waiting(2, 90), await waiting(2, 90)];
    expect(await taken(6, { [low]: 'l', [one]: 'u', [two]: 'u' })).toBe('uuuull');
  });

  test('B14: to take one touches no more pages with 30,000 waiting than with 100, right after a bulk insert', async () => {
    const pages = async () => {
      const client = await db.$client.connect();
      try {
        await client.query('begin');
        const { sql: text, params } = new PgDialect().sqlToQuery(takeOne('w1', 60, randomUUID()));
        const found = await client.query(
          `explain (analyze, buffers, timing off, format json) ${text}`,
          params,
        );
        await client.query('rollback');
        const plan = found.rows[0]['QUERY PLAN'][0].Plan;
        return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      } finally {
        client.release();
      }
    };
    for (let n = 0; n < 10; n += 1) await waiting(10);
    await pages();
    const few = await pages();
    await waiting(30_000);
    for (let n = 0; n < 30; n += 1) await waiting(1);
    await pages();
    expect(few).toBeGreaterThan(5);
    const many = await pages();
    expect(many).toBeLessThan(few + 50);
  });
});

test('an inspected document has its pages and becomes claimable', async () => {
  const { documentId, taskId } = await upload();
  expect(await claimTasks(db, { workerId: 'w', limit: 1, leaseSeconds: 60 })).toEqual([]);
  const [document] = await takeUninspected(db, { workerId: 'w1', limit: 1, holdSeconds: 60 });
  if (!document) throw new Error('nothing to inspect');
  await recordInspection(db, document, { pageCount: 3, textChars: 900, verdict: null }, 100);
  expect(await rows('select page_count from tickmark.documents where id = $1', [documentId])).toEqual([
    { page_count: 3 },
  ]);
  expect((await claimTasks(db, { workerId: 'w', limit: 1, leaseSeconds: 60 }))[0]?.taskId).toBe(taskId);
});

test.each([
  [{ pageCount: null, textChars: null, verdict: { code: 'not_a_pdf', message: 'No.' } }, 'not_a_pdf'],
  [{ pageCount: 101, textChars: 5, verdict: null }, 'too_many_pages'],
])('B40, B41: a verdict fails the task for good, without an attempt: %j', async (inspection, code) => {
  const { taskId } = await upload();
  const [document] = await takeUninspected(db, { workerId: 'w1', limit: 1, holdSeconds: 60 });
  if (!document) throw new Error('nothing to inspect');
  await recordInspection(db, document, inspection, 100);
  const found = await rows('select status, error_code, attempt_count from tickmark.tasks where id = $1', [
    taskId,
  ]);
  expect(found).toEqual([{ status: 'failed', error_code: code, attempt_count: 0 }]);
  const events = await rows("select actor from tickmark.task_events where to_status = 'failed'");
  expect(events).toEqual([{ actor: 'inspect' }]);
});

test('a document that could not be inspected is left to its run', async () => {
  const { taskId } = await upload();
  const [document] = await takeUninspected(db, { workerId: 'w1', limit: 1, holdSeconds: 60 });
  if (!document) throw new Error('nothing to inspect');
  await recordInspection(db, document, null, 100);
  expect((await claimTasks(db, { workerId: 'w', limit: 1, leaseSeconds: 60 }))[0]?.taskId).toBe(taskId);
});

test('a verdict on a task that was cancelled meanwhile changes nothing', async () => {
  const { taskId } = await upload();
  const [document] = await takeUninspected(db, { workerId: 'w1', limit: 1, holdSeconds: 60 });
  if (!document) throw new Error('nothing to inspect');
  await rows("update tickmark.tasks set status = 'cancelled' where id = $1", [taskId]);
  const verdict = { code: 'not_a_pdf', message: 'No.' };
  await recordInspection(db, document, { pageCount: null, textChars: null, verdict }, 100);
  expect(await rows('select status from tickmark.tasks where id = $1', [taskId])).toEqual([
    { status: 'cancelled' },
  ]);
});

test('a run is told its agent, its document and its own key, and a classifying one what to choose from', async () => {
  await upload('to run');
  const [document] = await takeUninspected(db, { workerId: 'w1', limit: 1, holdSeconds: 60 });
  if (!document) throw new Error('nothing to inspect');
  await rows("update tickmark.tasks set agent_id = 'auto' where id = $1", [document.taskId]);
  await recordInspection(db, document, { pageCount: 1, textChars: 9, verdict: null }, 100);
  const [claimed] = await claimTasks(db, { workerId: 'w', limit: 1, leaseSeconds: 60 });
  if (!claimed) throw new Error('nothing claimed');
  const settings = {
    callbackUrl: 'http://127.0.0.1:3000/api/v1/callbacks',
    webhookSecret: 'w'.repeat(40),
    model: { baseUrl: 'http://127.0.0.1:1/v1', apiKey: null, name: 'm' },
    maxMemoryMb: 512,
    maxPages: 10,
    programAgents: new Set<string>(),
  };
  const built = await buildRunInput({ db, store, settings }, claimed);
  if (built.kind !== 'built') throw new Error(built.message);
  const input = RunInput.parse(built.input);
  expect(input.agent.candidates.map((candidate) => candidate.documentType)).toContain('invoice');
  expect(input.agent.candidates.length).toBeGreaterThan(3);
  expect(input.document).toMatchObject({ filename: 'a.pdf', pageCount: 1, sizeBytes: 6 });
  expect(JSON.stringify(input)).not.toContain(settings.webhookSecret);
  expect(input).not.toHaveProperty('prices');

  // M14: where traces are kept, under an id of its own, and what its calls cost.
  const tracing = {
    kind: 'mlflow',
    url: 'http://127.0.0.1:1',
    experimentId: '0',
    authorization: null,
  } as const;
  const traced = await buildRunInput({ db, store, settings: { ...settings, tracing } }, claimed);
  if (traced.kind !== 'built') throw new Error(traced.message);
  const { traceId, prices, ...told } = RunInput.parse(traced.input);
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(told.tracing).toEqual(tracing);
  expect(prices).toContainEqual({
    model: 'tickmark-rules-1',
    input: '0.100000000000',
    cachedInput: '0.100000000000',
    cacheWrite: '0.100000000000',
    output: '0.400000000000',
  });
});
