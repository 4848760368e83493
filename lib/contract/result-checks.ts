import Big from 'big.js';
import type { Result } from './result';

/** Whether figures of a result agree with each other. `unknown`: a figure is missing. */
export interface Check {
  readonly label: string;
  readonly outcome: 'holds' | 'fails' | 'unknown';
  /** The figures, such as `12,741.60 + 2,420.90 = 15,162.50`, or what is missing. */
  readonly detail: string;
}

/** Whether a result has no value at all: completed, and yet nothing that anybody was looking for. */
export function foundNothing(result: Result): boolean {
  return result.fields.every(
    ({ value }) => value === null || value === undefined || (Array.isArray(value) && value.length === 0),
  );
}

/** What rounding of single lines may add up to. */
const TOLERANCE = new Big('0.02');

/** The checks that make sense for a type of document; none for a type that is not known. */
export function checkResult(result: Result): Check[] {
  const values = new Map(result.fields.map((field) => [field.name, field.value]));
  const amount = (name: string) => asAmount(values.get(name));
  switch (result.documentType) {
    case 'invoice':
      return [
        checkSum('Net + tax = total', [amount('net_total'), amount('tax_total')], amount('grand_total')),
        checkLines(values.get('line_items'), amount('net_total'), amount('grand_total')),
        ...checkProducts(values.get('line_items')),
        checkOrder('Due on or after the date of issue', values.get('issue_date'), values.get('due_date')),
      ];
    case 'contract':
      return [
        checkOrder('Ends after it takes effect', values.get('effective_date'), values.get('expiration_date')),
      ];
    default:
      return [];
  }
}

function checkSum(label: string, parts: readonly (Big | null)[], total: Big | null): Check {
  if (total === null || parts.some((part) => part === null)) {
    return { label, outcome: 'unknown', detail: 'A figure is missing' };
  }
  const sum = parts.reduce<Big>((all, part) => all.plus(part ?? 0), new Big(0));
  const agrees = sum.minus(total).abs().lte(TOLERANCE);
  const left = parts.map((part) => show(part ?? new Big(0))).join(' + ');
  return {
    label,
    outcome: agrees ? 'holds' : 'fails',
    detail: agrees ? `${left} = ${show(total)}` : `${left} = ${show(sum)}, not ${show(total)}`,
  };
}

interface Line {
  readonly quantity: Big | null;
  readonly unitPrice: Big | null;
  readonly amount: Big | null;
}

function linesOf(value: unknown): Line[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown) => {
    const line = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {};
    return {
      quantity: asAmount(line.quantity),
      unitPrice: asAmount(line.unit_price),
      amount: asAmount(line.amount),
    };
  });
}

/** Lines are printed before tax on most invoices, after tax on most receipts: either total will do. */
function checkLines(value: unknown, net: Big | null, gross: Big | null): Check {
  const label = 'Lines add up';
  const amounts = linesOf(value).map((line) => line.amount);
  const totals = [net, gross].filter((total) => total !== null);
  if (amounts.length === 0 || amounts.some((amount) => amount === null) || totals.length === 0) {
    return { label, outcome: 'unknown', detail: 'A figure is missing' };
  }
  const sum = amounts.reduce<Big>((all, amount) => all.plus(amount ?? 0), new Big(0));
  const match = totals.find((total) => sum.minus(total).abs().lte(TOLERANCE));
  if (match) {
    const which = match === net ? 'net total' : 'total';
    return { label, outcome: 'holds', detail: `${amounts.length} lines = ${show(sum)}, the ${which}` };
  }
  return {
    label,
    outcome: 'fails',
    detail: `${amounts.length} lines = ${show(sum)}, not ${totals.map(show).join(' or ')}`,
  };
}

function checkProducts(value: unknown): Check[] {
  const lines = linesOf(value).filter((line) => line.quantity && line.unitPrice && line.amount);
  if (lines.length === 0) return [];
  const wrong = lines.filter(
    ({ quantity, unitPrice, amount }) =>
      quantity && unitPrice && amount && quantity.times(unitPrice).minus(amount).abs().gt(TOLERANCE),
  );
  return [
    {
      label: 'Quantity × price = amount',
      outcome: wrong.length === 0 ? 'holds' : 'fails',
      detail:
        wrong.length === 0
          ? `On all ${lines.length} lines with these figures`
          : `Not on ${wrong.length} of ${lines.length} lines (a discount may explain it)`,
    },
  ];
}

function checkOrder(label: string, earlier: unknown, later: unknown): Check {
  if (typeof earlier !== 'string' || typeof later !== 'string') {
    return { label, outcome: 'unknown', detail: 'A date is missing' };
  }
  return { label, outcome: later >= earlier ? 'holds' : 'fails', detail: `${earlier} → ${later}` };
}

/** A plain decimal string as the contract has it; anything else is no amount. */
function asAmount(value: unknown): Big | null {
  return typeof value === 'string' && /^-?\d{1,30}(\.\d{1,30})?$/.test(value) ? new Big(value) : null;
}

function show(amount: Big): string {
  const [whole = '0', decimals] = amount.toFixed(2).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`;
}
