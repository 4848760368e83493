import Big from 'big.js';
import type { ColumnConcept, Concept } from './labels/concepts';
import { labelsOf } from './labels/match';
import { isContact } from './names';
import type { Placed, TableLine } from './table-grid';
import { isCarryOver, type TableRegion } from './table-rows';

/** A line of the table with its numbers by what they mean. */
export interface Row {
  readonly main: TableLine;
  readonly amount: Placed | null;
  readonly quantity: Placed | null;
  readonly unitPrice: Placed | null;
  readonly hasPosition: boolean;
}

export const near = (a: Big, b: Big) =>
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

export function rolesOf(region: TableRegion): Roles {
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

export function rowsOf(region: TableRegion, roles: Roles): Row[] {
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
export function joinHalves(rows: readonly Row[]): Row[] {
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
export function isAdjustment(row: Row, others: readonly Row[]): boolean {
  if (row.quantity) return false;
  const full = others.filter((other) => other.quantity && other.unitPrice && other.amount).length;
  // Among positions with quantity and price, "Rebate 2 %: base 75.00" explains one of them.
  if (!row.unitPrice && full >= 1 && full * 2 >= others.length && /[:%]/.test(row.main.line.text))
    return true;
  const isLabelled = row.main.line.cells.some((cell) =>
    labelsOf(cell).some(
      (match) =>
        (match.concepts.has('discount') || match.concepts.has('charge')) &&
        (match.startsCell || PLUS_OR_MINUS.test(cell.text)),
    ),
  );
  return isLabelled && others.some((other) => other.quantity !== null);
}
const PLUS_OR_MINUS =
  /^(?:abzgl|abzüglich|zzgl|zuzüglich|less|plus|moins|menos|más|meno|più|minus)(?!\p{L})/iu;

export function hasWords(row: Row): boolean {
  return row.main.words.length > 0;
}
