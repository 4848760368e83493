import Big from 'big.js';
import { findDates } from './dates';
import type { Concept } from './labels/concepts';
import { labelsOf, type Match } from './labels/match';
import type { Setting } from './language';
import { findNumbers, isMoney, type NumberToken } from './numbers';
import type { Cell, DocumentText, Line } from './page-text';

/** An amount that a label announces. */
export interface AmountSpot {
  readonly concept: Concept;
  readonly amount: Big;
  readonly token: NumberToken;
  readonly line: Line;
  readonly quote: string;
  /** 0–1: how well label and place speak for it. */
  readonly score: number;
  /** The percentage on the same line, such as 19 in "USt. 19 %  37,62". */
  readonly rate: Big | null;
}

const TOTAL_CONCEPTS = ['net', 'tax', 'gross', 'due', 'prepaid', 'subtotal', 'total'] as const;

const LABEL_SCORE: Partial<Record<Concept, number>> = {
  net: 0.85,
  tax: 0.8,
  gross: 0.85,
  due: 0.85,
  prepaid: 0.8,
  subtotal: 0.5,
  total: 0.6,
};

/** Numbers of a cell that can be amounts: no dates, no percentages, no identifiers. */
export function amountsIn(cell: Cell, setting: Setting, from = 0): NumberToken[] {
  const dates = findDates(cell.text, setting.dateOrder);
  return findNumbers(cell.text, setting.decimalSign).filter(
    (token) =>
      token.start >= from &&
      !token.isPercent &&
      !dates.some((date) => token.start < date.end && date.start < token.end) &&
      (isMoney(token) || (token.unit === null && token.value.abs().lt(10_000_000) && token.decimals <= 2)),
  );
}

/** A label that speaks of totals and stands at the start of its cell. */
export function totalLabelOf(cell: Cell): Match | undefined {
  return labelsOf(cell).find(
    (match) => match.startsCell && TOTAL_CONCEPTS.some((concept) => match.concepts.has(concept)),
  );
}

function rateOn(line: Line, setting: Setting): Big | null {
  const rate = findNumbers(line.text, setting.decimalSign).find((token) => token.isPercent);
  return rate?.value.gte(0) && rate.value.lte(30) ? rate.value : null;
}

/** Amounts behind a label: in its own cell, then in the cells to the right up to the next label. */
function amountsRight(match: Match, setting: Setting): { cell: Cell; token: NumberToken }[] {
  const { cell } = match;
  // "zahlbar innert 30 Tagen": a bare number inside a sentence is no amount.
  const found = amountsIn(cell, setting, match.to)
    .filter((token) => isMoney(token) || cell.text.length - token.end <= 3)
    .map((token) => ({ cell, token }));
  const right: { cell: Cell; token: NumberToken }[] = [];
  for (const next of cell.line.cells.slice(cell.index + 1)) {
    if (totalLabelOf(next)) break;
    right.push(...amountsIn(next, setting).map((token) => ({ cell: next, token })));
  }
  // "Tax 15% on 112.90 … 16.94": the base may stand in the label's own cell.
  const money = [...found, ...right].filter(({ token }) => isMoney(token));
  return money.length > 0 ? money : right.length > 0 ? right : found;
}

const LINES_BELOW = 7;
/** Text of other columns may lie between label and amount, but not more of it than this. */
const MAX_SKIPPED = 3;

/**
 * The amount in the column below a label. Where several stand there and the last is the sum of the others (a line per
 * rate, then the total), it is the last, else the first.
 */
function amountsBelow(
  match: Match,
  document: DocumentText,
  setting: Setting,
  skip: ReadonlySet<Line>,
): { cell: Cell; token: NumberToken }[] {
  const { cell } = match;
  const found: { cell: Cell; token: NumberToken }[] = [];
  let skipped = 0;
  for (let step = 1; step <= LINES_BELOW && skipped <= MAX_SKIPPED; step++) {
    const line = document.lines[cell.line.index + step];
    if (!line || line.page !== cell.line.page || skip.has(line)) break;
    const inColumn = line.cells.filter((other) => other.start < cell.end + 3 && other.end > cell.start - 3);
    const whole = inColumn.flatMap((other) => {
      const [token] = amountsIn(other, setting).filter(isMoney);
      return token && token.end - token.start >= other.text.length - 4 ? [{ cell: other, token }] : [];
    });
    if (whole[0]) found.push(whole[0]);
    else if (inColumn.some((other) => totalLabelOf(other))) break;
    else skipped++;
  }
  const last = found.at(-1);
  if (!last || found.length < 2) return found;
  const before = found.slice(0, -1).reduce((sum, { token }) => sum.plus(token.value), new Big(0));
  return before.minus(last.token.value).abs().lte('0.02') ? [last] : found.slice(0, 1);
}

/**
 * All amounts that labels of totals announce, on lines that are no positions.
 * @param skip lines of the table of positions: their words are descriptions
 * @param heads lines with the head of that table: what stands below is no total
 */
export function findAmountSpots(
  document: DocumentText,
  setting: Setting,
  skip: ReadonlySet<Line>,
  heads: ReadonlySet<Line>,
): AmountSpot[] {
  const spots: AmountSpot[] = [];
  for (const line of document.lines) {
    if (skip.has(line) || heads.has(line)) continue;
    for (const cell of line.cells) {
      for (const match of labelsOf(cell)) {
        for (const concept of TOTAL_CONCEPTS) {
          if (match.concepts.has(concept))
            spots.push(...spotsOfLabel(match, concept, document, setting, skip));
        }
      }
    }
  }
  return spots;
}

function spotsOfLabel(
  match: Match,
  concept: (typeof TOTAL_CONCEPTS)[number],
  document: DocumentText,
  setting: Setting,
  skip: ReadonlySet<Line>,
): AmountSpot[] {
  const isCarried = labelsOf(match.cell).some((other) => other.concepts.has('carryOver'));
  if (isCarried) return [];
  const right = amountsRight(match, setting);
  const isHead = /^[\s:.()€$£\-A-Z]*$/.test(match.cell.text.slice(match.to));
  const found =
    right.length > 0 ? right : isHead && match.startsCell ? amountsBelow(match, document, setting, skip) : [];
  const isBelow = right.length === 0;
  const rate = rateOn(match.cell.line, setting);
  return found.slice(0, 4).map(({ cell, token }, position) => {
    let score = LABEL_SCORE[concept] ?? 0.5;
    if (!match.startsCell) score -= 0.3;
    if (isBelow) score -= 0.1;
    if (!isMoney(token)) score -= 0.15;
    // Of several amounts on a line the last one usually is the total.
    score -= (found.length - 1 - position) * 0.12 + (found.length - 1) * 0.04;
    return {
      concept,
      amount: token.value,
      token,
      line: cell.line,
      quote: cell.text.slice(token.start, token.end).trim(),
      score: Math.max(score, 0.05),
      rate,
    };
  });
}
