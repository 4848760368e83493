import Big from 'big.js';
import { amountsIn, findAmountSpots } from './amount-spots';
import { findCurrency } from './document-currency';
import { type Finding, finding } from './finding';
import { findInvoiceDates } from './invoice-dates';
import { findInvoiceNumber } from './invoice-number';
import { findLabels } from './labels/match';
import type { Setting } from './language';
import { findPositions, type LineItem } from './line-items';
import { isMoney } from './numbers';
import type { DocumentText, Line } from './page-text';
import { findParties } from './parties';
import { findReceiptItems } from './receipt-items';
import { findTaxRows } from './tax-rows';
import { type PrintedAmount, solveTotals, type Totals } from './totals';

export interface InvoiceFindings {
  readonly invoice_number: Finding<string> | null;
  readonly issue_date: Finding<string> | null;
  readonly due_date: Finding<string> | null;
  readonly seller: Finding<string> | null;
  readonly buyer: Finding<string> | null;
  readonly currency: Finding<string> | null;
  readonly net_total: Finding<string> | null;
  readonly tax_total: Finding<string> | null;
  readonly grand_total: Finding<string> | null;
  readonly amount_due: Finding<string> | null;
  readonly line_items: readonly Finding<LineItem>[];
}

/** A receipt says how it was paid: "Cash 10.00", "Rückgeld 2,99". */
function isReceipt(document: DocumentText, setting: Setting): boolean {
  const words =
    /(?<!\p{L})(?:receipt|cash|change|kassenbon|quittung|bar|rückgeld|ticket|scontrino|ricevuta|kassabon|espèces|rendu|efectivo|cambio|contanti|resto)(?!\p{L})/iu;
  return findLabels(document.lines.slice(0, 200), 'payment').some(
    (match) =>
      match.startsCell &&
      words.test(match.cell.line.text) &&
      match.cell.line.cells.slice(match.cell.index).some((cell) => amountsIn(cell, setting).some(isMoney)),
  );
}

function printedAmounts(document: DocumentText, setting: Setting, skip: ReadonlySet<Line>): PrintedAmount[] {
  return document.lines
    .filter((line) => !skip.has(line))
    .flatMap((line) =>
      line.cells.flatMap((cell) =>
        amountsIn(cell, setting)
          .filter((token) => token.end - token.start >= cell.text.length - 4)
          .map((token) => ({
            amount: token.value,
            decimals: token.decimals,
            line,
            quote: cell.text.slice(token.start, token.end).trim(),
          })),
      ),
    );
}

function addsUp(amounts: readonly Big[], totals: Totals): boolean {
  const sum = amounts.reduce((total, amount) => total.plus(amount), new Big(0));
  return [totals.net, totals.gross].some((total) => total && sum.minus(total.value).abs().lte('0.03'));
}

/** All fields of an invoice, credit note or receipt. */
export function findInvoiceFields(document: DocumentText, setting: Setting): InvoiceFindings {
  const positions = findPositions(document, setting);
  const isPaid = isReceipt(document, setting);
  const rows = findTaxRows(document, setting, positions.lines);
  const spots = findAmountSpots(document, setting, positions.lines, positions.headLines);
  const totals = solveTotals(spots, rows, printedAmounts(document, setting, positions.lines), isPaid);
  const known = spots.map((spot) => spot.amount);
  let items: readonly Finding<LineItem>[] = positions.items;
  if (items.length === 0) items = findReceiptItems(document, setting, known);
  else if (addsUp(positions.amounts, totals)) {
    items = items.map((item) =>
      finding(item.value, lineOf(document, item.line), item.quote, item.confidence + 0.04),
    );
  }
  const tableStart = Math.min(...[...positions.headLines].map((line) => line.index));
  const { seller, buyer } = findParties(document, { tableStart, isReceipt: isPaid });
  const { issueDate, dueDate } = findInvoiceDates(document, setting);
  return {
    invoice_number: findInvoiceNumber(document),
    issue_date: issueDate,
    due_date: dueDate,
    seller,
    buyer,
    currency: findCurrency(document, setting),
    net_total: totals.net,
    tax_total: totals.tax,
    grand_total: totals.gross,
    amount_due: totals.due,
    line_items: items,
  };
}

function lineOf(document: DocumentText, id: string | null) {
  return document.lines.find((line) => line.id === id) ?? null;
}
