import type Big from 'big.js';
import { type Finding, finding } from './finding';
import { hasWords, isAdjustment, joinHalves, near, type Row, rolesOf, rowsOf } from './item-rows';
import { continuation, wordingOf } from './item-wording';
import type { Setting } from './language';
import { decimalText } from './numbers';
import type { DocumentText, Line } from './page-text';
import { findTableHeads, type TableHead } from './table-head';
import { findTableRegions, isCarryOver, type TableRegion } from './table-rows';

export interface LineItem {
  readonly description: string | null;
  readonly quantity: string | null;
  readonly unit_price: string | null;
  readonly amount: string | null;
}

/** The positions of an invoice and the lines that they take. */
export interface Positions {
  readonly items: readonly Finding<LineItem>[];
  readonly amounts: readonly Big[];
  readonly lines: ReadonlySet<Line>;
  readonly headLines: ReadonlySet<Line>;
}

function itemOf(row: Row, next: Row | undefined, region: TableRegion): Finding<LineItem> {
  const { text, cells } = wordingOf(row, region);
  const words =
    text === null
      ? null
      : [text, ...(cells[0]?.line === row.main.line ? continuation(row, next, region) : [])].join(' ');
  const amount = row.amount?.token ?? null;
  const [q, p] = [row.quantity?.token ?? null, row.unitPrice?.token ?? null];
  const isProven = amount && q && p ? near(q.value.times(p.value), amount.value) : false;
  const item: LineItem = {
    description: words?.slice(0, 500) || null,
    quantity: q ? decimalText(q) : null,
    unit_price: p ? decimalText(p) : null,
    amount: amount ? decimalText(amount) : null,
  };
  const quote =
    cells[0]?.text ?? (row.amount ? row.main.line.text.slice(row.amount.start, row.amount.end) : null);
  return finding(
    item,
    (cells[0] ?? row.main.words[0])?.line ?? row.main.line,
    quote,
    isProven ? 0.95 : q || p ? 0.75 : 0.65,
  );
}

/** Positions from tables whose head is on the page. */
export function findPositions(document: DocumentText, setting: Setting): Positions {
  const heads = findTableHeads(document, setting);
  const headLines = new Set(heads.flatMap((head: TableHead) => head.lines));
  const items: Finding<LineItem>[] = [];
  const amounts: Big[] = [];
  const lines = new Set<Line>();
  for (const region of findTableRegions(document, heads, setting)) {
    const joined = joinHalves(rowsOf(region, rolesOf(region)));
    const rows = joined.filter(
      (row) =>
        !isAdjustment(row, joined) && (hasWords(row) || row.quantity !== null || row.unitPrice !== null),
    );
    const isTable =
      rows.length > 0 &&
      (region.head.columns.length >= 3 || rows.some((row) => row.quantity !== null) || items.length === 0);
    if (!isTable || isTaxTable(region)) continue;
    for (const [index, row] of rows.entries()) {
      items.push(itemOf(row, rows[index + 1], region));
      if (row.amount) amounts.push(row.amount.token.value);
    }
    for (const row of joined) lines.add(row.main.line);
    for (const row of region.lines) if (isCarryOver(row)) lines.add(row.line);
  }
  return { items, amounts, lines, headLines };
}

/** The breakdown of tax looks like a table of positions but names no goods. */
function isTaxTable(region: TableRegion): boolean {
  const concepts = new Set(region.head.columns.map((column) => column.concept));
  return !concepts.has('description') && !concepts.has('quantity') && !concepts.has('unitPrice');
}
