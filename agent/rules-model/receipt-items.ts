import Big from 'big.js';
import { amountsIn, totalLabelOf } from './amount-spots';
import { type Finding, finding } from './finding';
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

function receiptLineOf(line: Line, previous: Line | undefined, setting: Setting): ReceiptLine | null {
  if (line.cells.some((cell) => totalLabelOf(cell))) return null;
  const isOther = line.cells.some((cell) =>
    labelsOf(cell).some(
      (match) =>
        match.startsCell &&
        (match.concepts.has('payment') || match.concepts.has('rounding') || match.concepts.has('carryOver')),
    ),
  );
  const last = line.cells.at(-1);
  const amount = last ? amountsIn(last, setting).filter(isMoney).at(-1) : undefined;
  if (isOther || !last || !amount || last.text.length - amount.end > 4) return null;
  const own = line.text.slice(0, last.start + amount.start).trim();
  const times = TIMES.exec(line.text.slice(0, last.start + amount.start)) ?? (previous ? null : null);
  const [quantity, unitPrice] = times
    ? [
        findNumbers(times[1] ?? '', setting.decimalSign)[0] ?? null,
        findNumbers(times[2] ?? '', setting.decimalSign)[0] ?? null,
      ]
    : [null, null];
  const hasOwnWords = /\p{L}{3}/u.test(own.replace(TIMES, ''));
  const words = hasOwnWords
    ? own.replace(TIMES, '').replace(/\s+/g, ' ').trim()
    : (previous?.text.trim() ?? '');
  return words === '' ? null : { line, amount, words, quantity, unitPrice };
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
