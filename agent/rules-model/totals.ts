import Big from 'big.js';
import type { AmountSpot } from './amount-spots';
import { type Finding, finding, sureOnly } from './finding';
import { decimalText } from './numbers';
import type { Line } from './page-text';
import type { TaxRow } from './tax-rows';
import {
  baseOf,
  type Candidate,
  distinctRates,
  fromRows,
  fromSpots,
  near,
  ranked,
  sumOfTaxes,
  taxOf,
} from './total-candidates';

/** The totals of an invoice, each as printed. */
export interface Totals {
  readonly net: Finding<string> | null;
  readonly tax: Finding<string> | null;
  readonly gross: Finding<string> | null;
  readonly due: Finding<string> | null;
  /** True where net + tax = gross was seen on the page. */
  readonly addsUp: boolean;
}

interface Choice {
  readonly net: Candidate | null;
  readonly tax: Candidate | null;
  readonly gross: Candidate | null;
  readonly addsUp: boolean;
  readonly score: number;
}

function rate(net: Candidate | null, tax: Candidate | null, gross: Candidate | null): Choice {
  let score = (net?.score ?? 0) + (tax?.score ?? 0) + (gross?.score ?? 0);
  let addsUp = false;
  if (net && tax && gross) {
    addsUp = near(net.amount.plus(tax.amount), gross.amount, new Big('0.05'));
    const isExact = near(net.amount.plus(tax.amount), gross.amount);
    // "Total 0.00" beside "Tax 0.00" adds up with anything: it says nothing.
    const isEmpty = gross.amount.eq(0) && net.amount.eq(0);
    score += addsUp ? (isEmpty ? 0 : isExact ? 2 : 1.2) : -2.5;
  } else if (net && gross) {
    score += near(net.amount, gross.amount) ? 0.2 : net.amount.abs().gt(gross.amount.abs()) ? -1.5 : -0.3;
  } else if (tax && gross) {
    score += tax.amount.abs().gte(gross.amount.abs()) && !gross.amount.eq(0) ? -2 : -0.1;
  } else if (net && tax) {
    score += tax.amount.abs().gte(net.amount.abs()) ? -1 : -0.3;
  }
  return { net, tax, gross, addsUp, score };
}

function choose(nets: Candidate[], taxes: Candidate[], grosses: Candidate[]): Choice {
  let best = rate(null, null, null);
  for (const net of [null, ...nets]) {
    for (const tax of [null, ...taxes]) {
      for (const gross of [null, ...grosses]) {
        const choice = rate(net, tax, gross);
        if (choice.score > best.score + 1e-9) best = choice;
      }
    }
  }
  return best;
}

function give(candidate: Candidate | null, confidence: number): Finding<string> | null {
  if (!candidate) return null;
  const text = decimalText({ value: candidate.amount, decimals: candidate.decimals });
  return sureOnly(finding(text, candidate.line, candidate.quote, confidence));
}

/** An amount that the page prints outside the table of positions, whatever its label. */
export interface PrintedAmount {
  readonly amount: Big;
  readonly decimals: number;
  readonly line: Line;
  readonly quote: string;
}

/** Where two of the three are known and the third is printed with a label that the rules don't know, it is taken. */
function complete(choice: Choice, others: readonly PrintedAmount[]): Choice {
  const { net, tax, gross } = choice;
  const known = [net, tax, gross].filter((candidate) => candidate !== null);
  if (choice.addsUp || known.length !== 2 || known.some((candidate) => candidate.score < 0.3)) return choice;
  const wanted = net && tax ? net.amount.plus(tax.amount) : gross?.amount.minus((net ?? tax)?.amount ?? 0);
  if (!wanted || wanted.eq(0)) return choice;
  const printed = others.findLast((other) => near(other.amount, wanted));
  if (!printed) return choice;
  const third: Candidate = { ...printed, score: 0.3 };
  const score = choice.score + 1.3;
  return { net: net ?? third, tax: tax ?? third, gross: gross ?? third, addsUp: true, score };
}

/** Picks net, tax, gross and what is due so that labels and arithmetic agree best. */
export function solveTotals(
  spots: readonly AmountSpot[],
  rows: { readonly rows: readonly TaxRow[]; readonly labelledRows: readonly TaxRow[] },
  others: readonly PrintedAmount[],
  isReceipt: boolean,
): Totals {
  const prepaid = ranked(fromSpots(spots, { prepaid: 1 })).filter((candidate) => !candidate.amount.eq(0));
  const nets = ranked([
    ...fromSpots(spots, { net: 1, subtotal: 0.9, total: 0.35 }),
    ...fromRows(rows.rows, baseOf, 0.4),
  ]);
  const perRate = [...rows.rows, ...rows.labelledRows];
  const taxes = ranked([
    ...fromSpots(spots, { tax: 1 }),
    ...fromRows(rows.rows, taxOf, 0.75),
    ...fromRows(rows.labelledRows, taxOf, 0.7),
    ...fromRows(distinctRates(perRate), taxOf, 0.65),
    ...sumOfTaxes(spots),
  ]);
  const grosses = ranked(
    fromSpots(spots, {
      gross: 1,
      total: 0.95,
      due: prepaid.length > 0 ? 0.3 : 0.7,
      subtotal: 0.2,
      net: 0.15,
    }),
  );
  const choice = complete(choose(nets, taxes, grosses), others);
  const { net, tax, gross, addsUp } = choice;
  const sure = (candidate: Candidate | null) =>
    candidate ? (addsUp ? 0.9 + candidate.score * 0.09 : Math.min(candidate.score, 0.85)) : 0;
  // Net and total that differ without a tax between them: one of the two is something else.
  const isOdd = !addsUp && net !== null && gross !== null && !near(net.amount, gross.amount);
  return {
    net: give(net, sure(net) - (isOdd ? 0.15 : 0)),
    tax: give(tax, sure(tax)),
    gross: give(gross, sure(gross)),
    due: dueOf(spots, gross, prepaid, sure(gross), isReceipt),
    addsUp,
  };
}

function dueOf(
  spots: readonly AmountSpot[],
  gross: Candidate | null,
  prepaid: readonly Candidate[],
  sureOfGross: number,
  isReceipt: boolean,
): Finding<string> | null {
  const candidates = ranked(fromSpots(spots, { due: 1 }));
  if (gross) {
    const rest = prepaid.flatMap((paid) => {
      const left = gross.amount.minus(paid.amount.abs());
      return candidates.filter((candidate) => near(candidate.amount, left));
    });
    if (rest[0]) return give(rest[0], 0.97);
    const same = candidates.find((candidate) => near(candidate.amount, gross.amount));
    if (same && prepaid.length === 0) return give(same, Math.max(0.9, sureOfGross));
  }
  // It can be more than the total: what was open before is added.
  const [labelled] = candidates;
  if (labelled) return give(labelled, labelled.score);
  if (!gross || isReceipt) return null;
  // Without a prepayment on the page the whole total is due.
  return prepaid.length === 0 ? give(gross, sureOfGross - 0.15) : null;
}
