import { afterAll, beforeAll, expect, test } from 'vitest';
import { Extraction, TaskDetail, TaskList } from '@/lib/contract/api';
import { ExtractionChecks } from '@/lib/contract/api-checks';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { writeExtraction, writeTask } from '@/test/story';
import { GET as getTask } from '../tasks/[id]/route';
import { GET as getTasks } from '../tasks/route';
import { GET as getChecks } from './[id]/checks/route';
import { GET as getOne } from './[id]/route';

let app: TestApp;
let id: string;
let headers: Record<string, string>;

const invoice = (values: Record<string, unknown>, confidence: number | null = 0.9) => ({
  extractionId: id,
  status: 'completed' as const,
  confidence,
  result: {
    documentType: 'invoice',
    fields: Object.entries(values).map(([name, value]) => ({ name, value })),
  },
});
const SOUND = { net_total: '10.00', tax_total: '2.00', grand_total: '12.00' };

beforeAll(async () => {
  app = await createTestApp();
  headers = await bearer('auditor');
  id = await writeExtraction(app.db, { client: 'Acme', name: 'Checked' });
  await writeTask(app.db, invoice(SOUND));
  for (let n = 0; n < 7; n += 1) await writeTask(app.db, invoice({ ...SOUND, grand_total: `13.0${n}` }));
  await writeTask(app.db, invoice({ net_total: null, line_items: [] }, null));
  // Without a confidence, and yet something was found.
  await writeTask(app.db, invoice({ seller: 'Lantern & Pike', line_items: [{ amount: null }] }, null));
  await writeTask(app.db, { extractionId: id, status: 'completed', confidence: null, result: ['by hand'] });
  await writeTask(app.db, { extractionId: id, status: 'failed', errorCode: 'no_pages' });
});
afterAll(() => app.close());

test('what does not add up in an extraction is told with how often, on which documents and the figures', async () => {
  const response = await call(getChecks, { params: { id }, headers });
  const checks = ExtractionChecks.parse(await response.json());
  expect(checks).toMatchObject({ documents: 11, complete: true, nothingFound: { count: 1 } });
  const [sum, ...others] = checks.failing;
  expect(others).toEqual([]);
  expect(sum).toMatchObject({ label: 'Net + tax = total', count: 7 });
  expect(sum?.tasks).toHaveLength(5);
  expect(sum?.tasks[0]?.detail).toMatch(/^10\.00 \+ 2\.00 = 12\.00, not 13\.0\d$/);
  expect(checks.holding).toBe(1);
});

test('a task that completed and found nothing says so, and no other one does', async () => {
  const list = await call(getTasks, { query: `?extraction=${id}`, headers });
  const { tasks } = TaskList.parse(await list.json());
  expect(tasks).toHaveLength(12);
  const details = await Promise.all(
    tasks.map(async (task) =>
      TaskDetail.omit({ result: true }).parse(
        await (await call(getTask, { params: { id: task.id }, headers })).json(),
      ),
    ),
  );
  const found = details.filter(({ foundNothing }) => foundNothing);
  expect(found.map(({ confidence, resultShape }) => ({ confidence, resultShape }))).toEqual([
    { confidence: null, resultShape: 'fields' },
  ]);
});

test('of an extraction that is not there there are no checks', async () => {
  const nowhere = '00000000-0000-4000-8000-000000000000';
  expect((await call(getChecks, { params: { id: nowhere }, headers })).status).toBe(404);
});

test('an extraction that nobody named tells its first file', async () => {
  const unnamed = await writeExtraction(app.db, { name: '2026-01-02 03:04' });
  const extractionOf = async (one: string) =>
    Extraction.parse(await (await call(getOne, { params: { id: one }, headers })).json());
  expect((await extractionOf(unnamed)).firstFile).toBeNull();
  const { rows } = await app.db.$client.query<{ id: string }>(
    `insert into tickmark.documents (extraction_id, sha256, filename, size_bytes, storage_uri)
     values ($1, repeat('a', 64), 'first.pdf', 1, 'x') returning id`,
    [unnamed],
  );
  await writeTask(app.db, { extractionId: unnamed, documentId: rows[0]?.id ?? null });
  expect((await extractionOf(unnamed)).firstFile).toBe('first.pdf');
  expect((await extractionOf(id)).firstFile).toBeNull();
});
