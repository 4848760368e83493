import { type DateToken, findDates } from './dates';
import { type Finding, finding, sureOnly } from './finding';
import type { Concept } from './labels/concepts';
import { findLabels, labelsOf, type Match } from './labels/match';
import type { Setting } from './language';
import type { DocumentText, Line } from './page-text';
import { type Spot, spotsOf } from './values';

interface Candidate {
  readonly date: DateToken;
  readonly line: Line;
  readonly quote: string;
  readonly score: number;
}

/** A date further behind its label than this belongs to something else. */
const MAX_GAP = 24;

function dateIn(spot: Spot, setting: Setting, maxGap: number): { date: DateToken; quote: string } | null {
  const [date] = findDates(spot.text, setting.dateOrder);
  if (!date || date.start > maxGap) return null;
  return { date, quote: spot.text.slice(date.start, date.end) };
}

/** What stands before the label in its cell says whether the date is another document's. */
function speaksOfAnother(match: Match, concepts: readonly Concept[]): boolean {
  return labelsOf(match.cell).some(
    (other) =>
      other.to <= match.from &&
      concepts.some((concept) => other.concepts.has(concept)) &&
      !other.concepts.has('issueDate') &&
      !other.concepts.has('invoiceNumber') &&
      !other.concepts.has('title'),
  );
}

function labelled(document: DocumentText, setting: Setting, concept: 'issueDate' | 'dueDate'): Candidate[] {
  const candidates: Candidate[] = [];
  for (const match of findLabels(document.lines, concept)) {
    const others: Concept[] =
      concept === 'issueDate' ? ['otherNumber', 'otherDate', 'dueDate'] : ['otherDate', 'discount'];
    if (speaksOfAnother(match, others)) continue;
    const isShort = match.weight <= (match.startsCell ? 3 : 4);
    if (concept === 'issueDate' && isShort && isLoose(match)) continue;
    const base =
      (match.startsCell ? 0.86 : 0.76) + Math.min(match.weight, 14) * 0.006 - (match.weight <= 3 ? 0.12 : 0);
    for (const spot of spotsOf(match, document)) {
      const gap = match.startsCell ? MAX_GAP : 6;
      const found = dateIn(spot, setting, gap);
      if (!found) continue;
      const ambiguity = found.date.isAmbiguous && !setting.isDateOrderSure ? 0.12 : 0;
      candidates.push({
        ...found,
        line: spot.line,
        score: base - Math.min(spot.distance, 6) * 0.04 - ambiguity,
      });
      break;
    }
  }
  return candidates;
}

/** "vom", "del" and "date" inside a sentence count only behind the number or the title of the invoice. */
function isLoose(match: Match): boolean {
  return (
    !labelsOf(match.cell).some(
      (other) =>
        other.to <= match.from && (other.concepts.has('invoiceNumber') || other.concepts.has('title')),
    ) &&
    !/(?:rechnung|invoice|facture|factura|fattura|factuur|\bnr\b)/i.test(
      match.cell.text + previousText(match),
    )
  );
}

function previousText(match: Match): string {
  return match.cell.line.cells
    .slice(0, match.cell.index)
    .map((cell) => cell.text)
    .join(' ');
}

function best(candidates: readonly Candidate[]): Candidate | null {
  return candidates.reduce<Candidate | null>(
    (top, candidate) => (!top || candidate.score > top.score ? candidate : top),
    null,
  );
}

/** Lines in which an unlabelled date may be the date of the letter. */
const HEAD_LINES = 30;

/** A date at the head of the page that no label claims, such as "München, den 12.03.2024". */
function unlabelled(document: DocumentText, setting: Setting): Candidate | null {
  const found: Candidate[] = [];
  for (const line of document.lines.slice(0, HEAD_LINES)) {
    for (const cell of line.cells) {
      const labels = labelsOf(cell);
      if (labels.some((match) => match.concepts.has('otherDate') || match.concepts.has('dueDate'))) continue;
      const [date] = findDates(cell.text, setting.dateOrder);
      if (!date) continue;
      const isAlone = date.end - date.start >= cell.text.length - 22 && date.end >= cell.text.length - 9;
      if (!isAlone) continue;
      const left = line.cells[cell.index - 1];
      if (
        left &&
        labelsOf(left).some((match) => match.concepts.has('otherDate') || match.concepts.has('dueDate'))
      )
        continue;
      found.push({ date, line, quote: cell.text.slice(date.start, date.end), score: 0.6 });
    }
  }
  const different = new Set(found.map((candidate) => candidate.date.iso));
  const [first] = found;
  if (!first) return null;
  return different.size === 1 ? first : { ...first, score: 0.45 };
}

/** Date of the document and date by which payment is due. */
export function findInvoiceDates(
  document: DocumentText,
  setting: Setting,
): { issueDate: Finding<string> | null; dueDate: Finding<string> | null } {
  const issue = best(labelled(document, setting, 'issueDate')) ?? unlabelled(document, setting);
  const dueCandidates = labelled(document, setting, 'dueDate').filter(
    (candidate) => !issue || candidate.date.iso >= issue.date.iso,
  );
  const due = best(dueCandidates);
  const give = (candidate: Candidate | null) =>
    candidate
      ? sureOnly(finding(candidate.date.iso, candidate.line, candidate.quote, candidate.score))
      : null;
  return { issueDate: give(issue), dueDate: give(due) };
}
