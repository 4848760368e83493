import Big from 'big.js';
import { amountsIn, totalLabelOf } from './amount-spots';
import { type Finding, finding } from './finding';
import type { Concept } from './labels/concepts';
import { labelsOf } from './labels/match';
import type { Setting } from './language';
import type { LineItem } from './line-items';
import { decimalText, findNumbers, isMoney, type NumberToken } from './numbers';
import type { DocumentText, Line } from './page-text';

interface ReceiptLine {
  readonly line: Line;
  readonly amount: NumberToken;
  readonly words: string;
  readonly quantity: NumberToken | null;
  readonly unitPrice: NumberToken | null;
}

const near = (a: Big, b: Big) => a.minus(b).abs().lte('0.02');

/** `2 x 3.50` or `2 @ 3.50`. */
const TIMES = /(\d{1,4}(?:[.,]\d{1,3})?)\s*(?:[x×@*]|pcs?|stk|uds?)\s*(?:@\s*)?[^\d\s]{0,3}\s*(\d[\d.,]*)/i;

function timesIn(text: string, setting: Setting) {
  const times = TIMES.exec(text);
  const [quantity = null] = times ? findNumbers(times[1] ?? '', setting.decimalSign) : [];
  const [unitPrice = null] = times ? findNumbers(times[2] ?? '', setting.decimalSign) : [];
  return times && quantity && unitPrice ? { text: times[0], quantity, unitPrice } : null;
}

function isOther(line: Line): boolean {
  return line.cells.some((cell) =>
    labelsOf(cell).some((match) => match.startsCell && OTHER.some((concept) => match.concepts.has(concept))),
  );
}
const OTHER: readonly Concept[] = ['payment', 'rounding', 'carryOver'];

function receiptLineOf(line: Line, previous: Line | undefined, setting: Setting): ReceiptLine | null {
  if (line.cells.some((cell) => totalLabelOf(cell)) || isOther(line)) return null;
  const last = line.cells.at(-1);
  const amount = last ? amountsIn(last, setting).filter(isMoney).at(-1) : undefined;
  if (!last || !amount || last.text.length - amount.end > 4) return null;
  const own = line.text.slice(0, last.start + amount.start).trim();
  // "2 x 0.79" alone tells quantity and price of the line above or below, no amount.
  if (own !== '' && !/\p{L}{4}/u.test(own) && timesIn(line.text, setting)?.unitPrice.value.eq(amount.value))
    return null;
  const times =
    timesIn(own, setting) ??
    (previous && !/\p{L}{4}/u.test(previous.text) ? timesIn(previous.text, setting) : null);
  const rest = times ? own.replace(times.text, '') : own;
  const words = /\p{L}{3}/u.test(rest) ? rest.replace(/\s+/g, ' ').trim() : (previous?.text.trim() ?? '');
  if (words === '') return null;
  return { line, amount, words, quantity: times?.quantity ?? null, unitPrice: times?.unitPrice ?? null };
}

/**
 * Positions of a receipt or a table without a head: lines of words that end in an amount. They count only when they
 * add up to one of the totals.
 */
export function findReceiptItems(
  document: DocumentText,
  setting: Setting,
  totals: readonly Big[],
): Finding<LineItem>[] {
  const rows: ReceiptLine[] = [];
  for (const line of document.lines.slice(0, 300)) {
    if (rows.length > 0 && line.cells.some((cell) => totalLabelOf(cell)?.weight)) break;
    const row = receiptLineOf(line, document.lines[line.index - 1], setting);
    if (row) rows.push(row);
  }
  const sum = rows.reduce((total, row) => total.plus(row.amount.value), new Big(0));
  if (rows.length === 0 || !totals.some((total) => near(total, sum))) return [];
  return rows.map(({ line, amount, words, quantity, unitPrice }) =>
    finding(
      {
        description: words.slice(0, 500),
        quantity: quantity ? decimalText(quantity) : null,
        unit_price: unitPrice ? decimalText(unitPrice) : null,
        amount: decimalText(amount),
      },
      line,
      line.text.trim(),
      0.7,
    ),
  );
}
