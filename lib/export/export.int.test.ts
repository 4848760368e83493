import exceljs from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GET } from '@/app/api/v1/extractions/[id]/export/route';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { writeExtraction, writeTask } from '@/test/story';

let app: TestApp;
let id: string;

const field = (name: string, value: unknown) => ({
  name,
  value,
  confidence: 0.9,
  page: 1,
  box: [0, 0, 1, 1],
});

beforeAll(async () => {
  app = await createTestApp();
  id = await writeExtraction(app.db, { client: 'Acme', name: 'Q3/../"final"' });
  await writeTask(app.db, {
    extractionId: id,
    status: 'completed',
    confidence: 0.5,
    createdAt: '2026-01-01T00:00:00Z',
    attempts: [{ status: 'succeeded', inputTokens: 70, outputTokens: 5, costUsd: '0.0125' }],
    result: {
      documentType: 'invoice',
      fields: [
        field('invoice_number', '007'),
        field('seller', '=HYPERLINK("http://x","y")'),
        field('grand_total', '-1234.50'),
        field('line_items', [{ description: '@SUM(1)', quantity: '2', unit_price: '3.10', amount: '6.20' }]),
      ],
    },
  });
  await writeTask(app.db, {
    extractionId: id,
    status: 'failed',
    errorCode: 'no_pages',
    createdAt: '2026-01-02T00:00:00Z',
  });
  // Whatever somebody stored by hand must not break the export of the others.
  await writeTask(app.db, {
    extractionId: id,
    status: 'completed',
    result: { fields: 'none' },
    createdAt: '2026-01-03T00:00:00Z',
  });
  await writeTask(app.db, {
    extractionId: id,
    status: 'completed',
    result: [1],
    createdAt: '2026-01-04T00:00:00Z',
  });
});
afterAll(() => app.close());

const get = async (format: string) =>
  call(GET, { params: { id }, query: `?format=${format}`, headers: await bearer('auditor') });

describe('the export of an extraction', () => {
  test('as CSV has a line per document, no formula, and amounts with their sign', async () => {
    const response = await get('csv');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = bytes.toString('utf8').slice(1).trimEnd().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(
      'file,status,document_type,pages,confidence,problem,warnings,task_id,invoice_number,seller,grand_total,line_items,input_tokens,output_tokens,llm_cost_usd,failed_checks',
    );
    expect(lines[1]).toContain(`007,"'=HYPERLINK(""http://x"",""y"")",-1234.50`);
    expect(lines[2]).toContain('failed');
    expect(lines[2]).toContain('no_pages: ');
  });

  test('as a workbook has numbers where amounts are, text elsewhere, and the line items on a sheet of their own', async () => {
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.load(await (await get('xlsx')).arrayBuffer());
    const documents = workbook.getWorksheet('Documents');
    const header = documents?.getRow(1).values as string[];
    const cell = (name: string) => documents?.getRow(2).getCell(header.indexOf(name)).value;
    expect(cell('invoice_number')).toBe('007');
    expect(cell('grand_total')).toBe(-1234.5);
    expect(cell('seller')).toBe('=HYPERLINK("http://x","y")');
    expect(documents?.getRow(2).getCell(header.indexOf('seller')).type).toBe(exceljs.ValueType.String);
    expect(documents?.rowCount).toBe(5);
    const items = workbook.getWorksheet('Line items');
    expect(((items?.getRow(2).values ?? []) as unknown[]).slice(2)).toEqual([1, '@SUM(1)', 2, 3.1, 6.2]);
    expect(cell('llm_cost_usd')).toBe(0.0125);
    expect(cell('input_tokens')).toBe(70);
  });

  test('as a workbook tells of each value how sure it is, and the page and place where it stands', async () => {
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.load(await (await get('xlsx')).arrayBuffer());
    const fields = workbook.getWorksheet('Fields');
    expect(((fields?.getRow(4).values ?? []) as unknown[]).slice(2, 10)).toEqual([
      ...['grand_total', -1234.5, 0.9, 1],
      ...[0, 0, 1, 1],
    ]);
    expect(fields?.rowCount).toBe(5);
  });

  test('tells which checks fail and by what arithmetic: in a column, on a sheet of all checks, and as JSON', async () => {
    const wrong = 'Lines add up: 1 lines = 6.20, not -1,234.50';
    const [, line = ''] = (await (await get('csv')).text()).split('\r\n');
    expect(line.endsWith(`,"${wrong}"`)).toBe(true);
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.load(await (await get('xlsx')).arrayBuffer());
    const documents = workbook.getWorksheet('Documents');
    expect(documents?.getRow(2).getCell(documents.columnCount).value).toBe(wrong);
    const checks = workbook.getWorksheet('Checks')?.getSheetValues() as unknown[][];
    expect(checks.slice(1).map((row) => row.slice(2, 5))).toEqual([
      ['check', 'outcome', 'detail'],
      ['Net + tax = total', 'not known', 'A figure is missing'],
      ['Lines add up', 'fails', '1 lines = 6.20, not -1,234.50'],
      ['Quantity × price = amount', 'holds', 'On all 1 lines with these figures'],
      ['Due on or after the date of issue', 'not known', 'A date is missing'],
    ]);
    const [first, failed] = await (await get('json')).json();
    expect(first.checks[1]).toEqual({
      label: 'Lines add up',
      outcome: 'fails',
      detail: '1 lines = 6.20, not -1,234.50',
    });
    expect(failed.checks).toEqual([]);
  });

  test('as JSON gives fields by name and where each stands', async () => {
    const rows = await (await get('json')).json();
    expect(rows).toHaveLength(4);
    expect(rows[0].fields).toMatchObject({ invoice_number: '007', grand_total: '-1234.50' });
    expect(rows[0].places[0]).toMatchObject({ name: 'invoice_number', page: 1, box: [0, 0, 1, 1] });
  });

  test('of an empty extraction is empty, in another format 400', async () => {
    const empty = await writeExtraction(app.db);
    const response = await call(GET, {
      params: { id: empty },
      query: '?format=json',
      headers: await bearer('auditor'),
    });
    expect(await response.json()).toEqual([]);
    expect((await get('pdf')).status).toBe(400);
  });
});
