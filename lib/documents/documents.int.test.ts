import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { RunInput } from '@/lib/contract/run-input';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { createEmbeddedDocumentStore } from '@/lib/platform/document-store/embedded';
import type { DocumentStore } from '@/lib/platform/document-store/port';
import { claimTasks } from '@/lib/queue/claim';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { addDocuments } from './add-documents';
import { createExtraction } from './create-extraction';
import { recordInspection, takeUninspected } from './inspect';
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

test('the same content twice is two documents and two tasks with the bytes stored once', async () => {
  const [one, two] = [await upload('same'), await upload('same')];
  expect(one.taskId).not.toBe(two.taskId);
  const documents = await rows('select distinct storage_uri from tickmark.documents');
  expect(documents).toHaveLength(1);
  expect(await rows('select 1 from tickmark.tasks')).toHaveLength(2);
});

test('each waiting document is inspected by one worker at a time, the most urgent first', async () => {
  const uploads = [await upload('1'), await upload('2'), await upload('3')];
  await rows('update tickmark.tasks set priority = 90 where id = $1', [uploads[2]?.taskId]);
  const [first] = await takeUninspected(db, 1, 60);
  expect(first?.taskId).toBe(uploads[2]?.taskId);
  const taken = await Promise.all([takeUninspected(db, 2, 60), takeUninspected(db, 2, 60)]);
  const ids = taken.flat().map((document) => document.taskId);
  expect(ids.sort()).toEqual([uploads[0]?.taskId, uploads[1]?.taskId].sort());
  expect(await takeUninspected(db, 10, 60)).toEqual([]);
  // The worker that held it died.
  await rows("update tickmark.documents set inspecting_until = now() - interval '1 second'");
  expect(await takeUninspected(db, 10, 60)).toHaveLength(3);
});

test('an inspected document has its pages and becomes claimable', async () => {
  const { documentId, taskId } = await upload();
  expect(await claimTasks(db, { workerId: 'w', limit: 1, leaseSeconds: 60 })).toEqual([]);
  const [document] = await takeUninspected(db, 1, 60);
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
])('a verdict fails the task for good, without an attempt: %j', async (inspection, code) => {
  const { taskId } = await upload();
  const [document] = await takeUninspected(db, 1, 60);
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
  const [document] = await takeUninspected(db, 1, 60);
  if (!document) throw new Error('nothing to inspect');
  await recordInspection(db, document, null, 100);
  expect((await claimTasks(db, { workerId: 'w', limit: 1, leaseSeconds: 60 }))[0]?.taskId).toBe(taskId);
});

test('a verdict on a task that was cancelled meanwhile changes nothing', async () => {
  const { taskId } = await upload();
  const [document] = await takeUninspected(db, 1, 60);
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
  const [document] = await takeUninspected(db, 1, 60);
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
  };
  const built = await buildRunInput({ db, store, settings }, claimed);
  if (built.kind !== 'built') throw new Error(built.message);
  const input = RunInput.parse(built.input);
  expect(input.agent.candidates.map((candidate) => candidate.documentType)).toContain('invoice');
  expect(input.agent.candidates.length).toBeGreaterThan(3);
  expect(input.document).toMatchObject({ filename: 'a.pdf', pageCount: 1, sizeBytes: 6 });
  expect(JSON.stringify(input)).not.toContain(settings.webhookSecret);
});
