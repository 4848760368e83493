import Big from 'big.js';
import { type Finding, finding } from './finding';
import type { ColumnConcept, Concept } from './labels/concepts';
import { labelsOf } from './labels/match';
import type { Setting } from './language';
import { isContact } from './names';
import { decimalText } from './numbers';
import type { Cell, DocumentText, Line } from './page-text';
import { findTableHeads, type TableHead } from './table-head';
import {
  columnAt,
  findTableRegions,
  isCarryOver,
  type Placed,
  type TableLine,
  type TableRegion,
} from './table-rows';

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

interface Row {
  readonly main: TableLine;
  readonly amount: Placed | null;
  readonly quantity: Placed | null;
  readonly unitPrice: Placed | null;
  readonly hasPosition: boolean;
}

const near = (a: Big, b: Big) =>
  a
    .minus(b)
    .abs()
    .lte(new Big('0.05').plus(b.abs().times('0.0005')));

/** Which columns hold quantity, price and amount: by their heads, and by arithmetic where heads leave it open. */
interface Roles {
  readonly amount: number | null;
  readonly quantity: number | null;
  readonly unitPrice: number | null;
}

function rolesOf(region: TableRegion): Roles {
  const { columns } = region.head;
  const indexes = (concept: ColumnConcept) =>
    columns.flatMap((column, index) => (column.concept === concept ? [index] : []));
  const used = (index: number) =>
    region.lines.some((row) => row.numbers.some((n) => n.column === index && !n.token.isPercent));
  const amounts = indexes('amount').filter(used);
  const prices = indexes('unitPrice').filter(used);
  const quantities = [...indexes('quantity'), ...indexes('unit'), ...indexes('amount')].filter(used);
  let best: { roles: Roles; score: number } | null = null;
  const all = columns.map((_, index) => index).filter(used);
  for (const amount of amounts.length > 0 ? amounts : [...prices.slice(1), ...all.slice(-1)]) {
    for (const unitPrice of [...prices.filter((p) => p !== amount), null]) {
      for (const quantity of [...quantities.filter((q) => q !== amount && q !== unitPrice), null]) {
        const roles = { amount, unitPrice, quantity };
        // Heads agree with left-to-right habits: of two amounts the first that the arithmetic supports, else the last.
        const score =
          supportOf(region, roles) * 10 +
          (unitPrice === null ? 0 : 1) +
          (quantity === null ? 0 : 1) +
          amount * 0.01;
        if (!best || score > best.score) best = { roles, score };
      }
    }
  }
  return best?.roles ?? { amount: null, quantity: null, unitPrice: null };
}

/** Share of the lines where quantity × price = amount. */
function supportOf(region: TableRegion, { amount, quantity, unitPrice }: Roles): number {
  if (amount === null || quantity === null || unitPrice === null) return 0;
  let held = 0;
  let rows = 0;
  for (const { numbers } of region.lines) {
    const at = (index: number) => numbers.find((n) => n.column === index && !n.token.isPercent)?.token.value;
    const [q, p, a] = [at(quantity), at(unitPrice), at(amount)];
    if (!q || !p || !a) continue;
    rows++;
    if (near(q.times(p), a)) held++;
  }
  return rows === 0 ? 0 : held / rows;
}

/** Head and foot of a page that a table runs over: numbers of invoice, phone, bank and register. */
function isPrintedAround({ line }: TableLine): boolean {
  return line.cells.some(
    (cell) =>
      isContact(cell.text) ||
      labelsOf(cell).some(
        (match) =>
          match.startsCell &&
          match.weight > 2 &&
          AROUND.some((concept) => match.concepts.has(concept)) &&
          !match.endsCell,
      ) ||
      labelsOf(cell).some(
        (match) =>
          match.startsCell && match.endsCell && match.concepts.has('invoiceNumber') && match.weight > 6,
      ),
  );
}
const AROUND: readonly Concept[] = ['taxId', 'bank', 'contact', 'invoiceNumber'];

function rowsOf(region: TableRegion, roles: Roles): Row[] {
  const { columns } = region.head;
  return region.lines.flatMap((main) => {
    if (isCarryOver(main)) return [];
    const pick = (index: number | null) =>
      index === null
        ? null
        : (main.numbers.findLast((n) => n.column === index && !n.token.isPercent) ?? null);
    const amount = pick(roles.amount);
    const quantity = pick(roles.quantity);
    const unitPrice = pick(roles.unitPrice);
    const hasPosition = main.numbers.some((n) => columns[n.column]?.concept === 'position');
    if (!amount && !quantity && !unitPrice) return [];
    if (!(amount && unitPrice) && isPrintedAround(main)) return [];
    return [{ main, amount, quantity, unitPrice, hasPosition }];
  });
}

/** How far apart the halves of a position may stand whose amount is set lower than its price. */
const MAX_HALVES = 3;

/** Puts together positions whose amount stands on another line than quantity and price. */
function joinHalves(rows: readonly Row[]): Row[] {
  const joined: Row[] = [];
  const used = new Set<Row>();
  const isAmountOnly = (row: Row) => row.amount !== null && !row.quantity && !row.unitPrice;
  const isPriceOnly = (row: Row) => row.amount === null && (row.unitPrice !== null || row.quantity !== null);
  for (const row of rows) {
    if (used.has(row)) continue;
    if (isAmountOnly(row) || isPriceOnly(row)) {
      const partner = rows.find(
        (other) =>
          !used.has(other) &&
          other !== row &&
          Math.abs(other.main.line.index - row.main.line.index) <= MAX_HALVES &&
          (isAmountOnly(row)
            ? isPriceOnly(other) && other.unitPrice !== null
            : isAmountOnly(other) && row.unitPrice !== null),
      );
      if (partner) {
        used.add(partner);
        used.add(row);
        const [price, amount] = isAmountOnly(row) ? [partner, row] : [row, partner];
        joined.push({
          ...price,
          amount: amount.amount,
          hasPosition: price.hasPosition || amount.hasPosition,
        });
        continue;
      }
    }
    used.add(row);
    if (row.amount) joined.push(row);
  }
  return joined;
}

/** A discount or charge between the positions is no position of its own. */
function isAdjustment(row: Row, others: readonly Row[]): boolean {
  if (row.quantity || row.unitPrice) return false;
  const full = others.filter((other) => other.quantity && other.unitPrice && other.amount).length;
  // Among positions with quantity and price, "Rebate 2 %: base 75.00" explains one of them.
  if (full >= 1 && full * 2 >= others.length && /[:%]/.test(row.main.line.text)) return true;
  const isLabelled = row.main.line.cells.some((cell) =>
    labelsOf(cell).some(
      (match) => match.startsCell && (match.concepts.has('discount') || match.concepts.has('charge')),
    ),
  );
  return isLabelled && others.some((other) => other.quantity !== null);
}

function hasWords(row: Row): boolean {
  return row.main.words.length > 0;
}

function wordingOf(row: Row, region: TableRegion): { text: string | null; cells: readonly Cell[] } {
  const { columns } = region.head;
  const hasColumn = columns.some((column) => column.concept === 'description');
  const isDescription = (cell: Cell) => {
    const concept = columns[columnAt(columns, cell.start, cell.end)]?.concept;
    return concept === 'description' || (!hasColumn && concept !== 'unit' && concept !== 'taxRate');
  };
  const own = row.main.words.filter((cell) => isDescription(cell) && isWording(cell));
  if (own.length > 0) return { text: clean(own, row), cells: own };
  // Set in the middle of its position, the line with the numbers may have the words above it.
  const above = region.lines.find((other) => other.line.index === row.main.line.index - 1);
  const words = above && above.numbers.length === 0 ? above.words.filter(isWording) : [];
  if (words.length > 0) return { text: clean(words, row), cells: words };
  const below = region.lines.find((other) => other.line.index === row.main.line.index + 1);
  const under =
    !row.main.words.some(isWording) && below && below.numbers.length === 0
      ? below.words.filter(isWording)
      : [];
  if (under.length > 0) return { text: clean(under, row), cells: under };
  const any = row.main.words.filter((cell) => /\p{L}{2}/u.test(cell.text));
  return { text: any.length > 0 ? clean(any, row) : null, cells: any };
}

/** Words for a person, not a code such as "GLN:598785412". */
function isWording(cell: Cell): boolean {
  return /\p{L}{2}/u.test(cell.text) && !/^[\p{L}#. ]{0,14}:\s*[\d.-]+$/u.test(cell.text);
}

function clean(cells: readonly Cell[], row: Row): string {
  const text = cells
    .map((cell) => cell.text)
    .join(' ')
    .trim();
  return row.hasPosition ? text : text.replace(/^\d{1,3}[.)]?\s+(?=\p{Lu})/u, '');
}

/** Continues a description on the lines below it, as long as nothing else stands there. */
function continuation(row: Row, next: Row | undefined, region: TableRegion): string[] {
  const from = region.lines.indexOf(row.main) + 1;
  const until = next ? region.lines.indexOf(next.main) : region.lines.length;
  const start = row.main.words[0]?.start ?? 0;
  const more: string[] = [];
  for (const line of region.lines.slice(from, Math.min(until, from + 2))) {
    const [cell] = line.words;
    const isWrapped =
      line.numbers.length === 0 &&
      line.words.length === 1 &&
      cell !== undefined &&
      Math.abs(cell.start - start) <= 3 &&
      /^[\p{Ll}(~]/u.test(cell.text);
    if (!isWrapped || line.line.page !== row.main.line.page) break;
    more.push(cell.text);
  }
  return more;
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
