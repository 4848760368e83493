import type { Concept } from './labels/concepts';
import { labelsOf, type Match } from './labels/match';
import { cleanName, hasLegalForm, isContact, isName, nameKey } from './names';
import { columnBelow } from './page-columns';
import type { Cell, DocumentText, Line } from './page-text';
import type { PartyCandidate } from './party-candidate';

const LEGAL_WORDS =
  /\b(?:gmbh|ag|kg|ohg|ug|ltd|limited|llc|inc|corp|co|sarl|sas|srl|spa|company|enterprise)\b/gi;

/** Words such as "to" and "de" are headings only when they stand alone or before a colon. */
function isHeading(match: Match): boolean {
  const rest = match.cell.text.slice(match.to);
  const isAlone = /^[\s:.\-)(]*$/.test(rest);
  // "Customer VAT number": the word belongs to another label.
  const next = labelsOf(match.cell).find((other) => other.from >= match.to);
  if (next && /^[\s]*$/.test(match.cell.text.slice(match.to, next.from)) && !hasLegalForm(rest)) return false;
  if (!match.startsCell) return false;
  // "Lieferant GmbH" is a name, not a heading.
  if (
    !isAlone &&
    !/^\s*:/.test(rest) &&
    hasLegalForm(rest) &&
    !/\p{L}{3}/u.test(rest.replace(LEGAL_WORDS, ''))
  )
    return false;
  if (isAlone) return match.weight > 2 || /:/.test(rest) || /^[\s]*$/.test(rest);
  if (/^\s*[:]/.test(rest)) return true;
  return match.weight >= 7 && !/^\s*(?:nr|no|n[°º]|number|nummer|id\b|#|-)/i.test(rest);
}

export function headingConcept(cell: Cell, concept: Concept): Match | undefined {
  return labelsOf(cell).find((match) => match.concepts.has(concept) && isHeading(match));
}

export const HEADINGS: readonly Concept[] = ['seller', 'buyer', 'shipTo', 'otherHeading'];

/** The name that a heading announces: behind it, beside it, below it, or behind "Name:" in its block. */
function namesOfHeading(match: Match, document: DocumentText): { text: string; cell: Cell }[] {
  const { cell } = match;
  const rest = cleanName(cell.text.slice(match.to).replace(/^[\s:.\-)(]+/, ''));
  if (rest.length > 2 && /\p{L}{2}/u.test(rest) && !isContact(rest)) {
    return /^[\p{Lu}\d"„“«]/u.test(rest) || /^\s*:/.test(cell.text.slice(match.to))
      ? [{ text: rest, cell }]
      : [];
  }
  const right = cell.line.cells[cell.index + 1];
  const isColon = /:\s*$/.test(cell.text);
  const below = columnBelow(cell, document, 7);
  for (const [position, other] of below.entries()) {
    if (HEADINGS.some((concept) => headingConcept(other, concept)) && position > 0) break;
    const name = labelsOf(other).find((label) => label.concepts.has('name') && label.startsCell);
    if (!name) continue;
    const inline = cleanName(other.text.slice(name.to));
    if (inline.length > 1) return [{ text: inline, cell: other }];
    const beside = other.line.cells[other.index + 1];
    if (beside && name.endsCell) return [{ text: cleanName(beside.text), cell: beside }];
  }
  const firstBelow = below.slice(0, 4).filter(isName);
  const takesRight = right && isName(right) && (isColon || right.start - cell.end <= 12);
  if (takesRight && (isColon || firstBelow.length === 0))
    return [{ text: cleanName(right.text), cell: right }];
  const stop = below.findIndex((other) => HEADINGS.some((concept) => headingConcept(other, concept)));
  const within = (stop === -1 ? below : below.slice(0, stop)).slice(0, 4).filter(isName);
  const [first] = within;
  return first ? [{ text: cleanName(first.text), cell: first }] : [];
}

export function fromHeadings(document: DocumentText, lines: readonly Line[]): PartyCandidate[] {
  const found: PartyCandidate[] = [];
  for (const line of lines) {
    for (const cell of line.cells) {
      for (const concept of ['seller', 'buyer', 'shipTo'] as const) {
        const match = headingConcept(cell, concept);
        if (!match) continue;
        const points = Math.min(match.weight, 8) * 0.25 + 4;
        for (const { text, cell: place } of namesOfHeading(match, document)) {
          if (nameKey(text).length < 2) continue;
          found.push({
            name: text,
            line: place.line,
            quote: text,
            seller: concept === 'seller' ? points : -6,
            buyer: concept === 'buyer' ? points : concept === 'shipTo' ? 0.5 : -6,
          });
        }
      }
    }
  }
  return found;
}
