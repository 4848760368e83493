import 'server-only';
import { PassThrough, type Readable } from 'node:stream';
import exceljs from 'exceljs';
import type { ExportRow } from '@/lib/dashboard/export-rows';
import { cellText, cellValue, fieldValue } from './cell';
import { checksOf, FIXED_COLUMNS, usageColumns } from './columns';

/** The most that a cell holds; longer text is cut with a mark rather than making a file that Excel refuses. */
const MAX_CELL = 32_767;
const LINE_COLUMNS = ['description', 'quantity', 'unit_price', 'amount'] as const;

/**
 * A workbook, streamed: "Documents" with one row per document, "Line items" with one per position of an invoice, "Fields"
 * with one per value: how sure it is, and the page and place where it stands, "Checks" with one per check: whether figures agree, and its
 * arithmetic. Text cells are never formulas. The rows are read once per sheet.
 */
export function toXlsx(read: () => AsyncIterable<ExportRow>, fieldNames: readonly string[]): Readable {
  const output = new PassThrough();
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({ stream: output, useStyles: true });
  const write = async () => {
    await writeDocuments(workbook, read(), fieldNames);
    await writeLineItems(workbook, read());
    await writeFields(workbook, read());
    await writeChecks(workbook, read());
    await workbook.commit();
  };
  write().catch((error) => output.destroy(error));
  return output;
}

async function writeDocuments(
  workbook: exceljs.stream.xlsx.WorkbookWriter,
  rows: AsyncIterable<ExportRow>,
  fieldNames: readonly string[],
): Promise<void> {
  const shown = fieldNames.filter((name) => name !== 'line_items');
  const sheet = workbook.addWorksheet('Documents', { views: [{ state: 'frozen', ySplit: 1 }] });
  const usage = usageColumns(shown);
  addHeader(sheet, [
    ...FIXED_COLUMNS.map(({ title }) => title),
    ...shown,
    ...usage.map(({ title }) => title),
  ]);
  for await (const row of rows) {
    const fixed = FIXED_COLUMNS.map(({ value }) => value(row));
    const fields = shown.map((name) => cellValue(name, fieldValue(row.fields, name)));
    addRow(sheet, [...fixed, ...fields, ...usage.map(({ title, value }) => asNumber(title, value(row)))]);
  }
  sheet.commit();
}

async function writeLineItems(
  workbook: exceljs.stream.xlsx.WorkbookWriter,
  rows: AsyncIterable<ExportRow>,
): Promise<void> {
  const sheet = workbook.addWorksheet('Line items', { views: [{ state: 'frozen', ySplit: 1 }] });
  addHeader(sheet, ['file', 'position', ...LINE_COLUMNS]);
  for await (const row of rows) {
    const items = fieldValue(row.fields, 'line_items');
    for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
      if (typeof item !== 'object' || item === null) continue;
      const cells = LINE_COLUMNS.map((name) => cellValue(name, (item as Record<string, unknown>)[name]));
      addRow(sheet, [row.filename ?? '', index + 1, ...cells]);
    }
  }
  sheet.commit();
}

/** One row per value, so that an auditor can filter by confidence and go to the page. */
async function writeFields(
  workbook: exceljs.stream.xlsx.WorkbookWriter,
  rows: AsyncIterable<ExportRow>,
): Promise<void> {
  const sheet = workbook.addWorksheet('Fields', { views: [{ state: 'frozen', ySplit: 1 }] });
  addHeader(sheet, ['file', 'field', 'value', 'confidence', 'page', 'x0', 'y0', 'x1', 'y1', 'task_id']);
  for await (const row of rows) {
    for (const { name, value, confidence, page, box } of row.fields) {
      const place = box ?? ['', '', '', ''];
      addRow(sheet, [
        ...[row.filename ?? '', name, cellValue(name, value), confidence ?? '', page ?? ''],
        ...place,
        row.taskId,
      ]);
    }
  }
  sheet.commit();
}

const OUTCOMES = { holds: 'holds', fails: 'fails', unknown: 'not known' } as const;

async function writeChecks(
  workbook: exceljs.stream.xlsx.WorkbookWriter,
  rows: AsyncIterable<ExportRow>,
): Promise<void> {
  const sheet = workbook.addWorksheet('Checks', { views: [{ state: 'frozen', ySplit: 1 }] });
  addHeader(sheet, ['file', 'check', 'outcome', 'detail', 'task_id']);
  for await (const row of rows) {
    for (const { label, outcome, detail } of checksOf(row)) {
      addRow(sheet, [row.filename ?? '', label, OUTCOMES[outcome], detail, row.taskId]);
    }
  }
  sheet.commit();
}

/** Money as a number where a double holds it exactly, which spreadsheets can add up. */
function asNumber(title: string, value: string | number): string | number {
  return title === 'llm_cost_usd' &&
    typeof value === 'string' &&
    /^\d+(\.\d{1,12})?$/.test(value) &&
    value.length <= 16
    ? Number(value)
    : value;
}

function addHeader(sheet: exceljs.Worksheet, titles: readonly string[]): void {
  const header = sheet.addRow(titles.map(cellText));
  header.font = { bold: true };
  header.commit();
}

function addRow(sheet: exceljs.Worksheet, cells: readonly (string | number)[]): void {
  sheet.addRow(cells.map((cell) => (typeof cell === 'string' ? fitting(cell) : cell))).commit();
}

/** XML has no control characters, and a cell has a limit. */
function fitting(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return clean.length <= MAX_CELL ? clean : `${clean.slice(0, MAX_CELL - 1).toWellFormed()}…`;
}
