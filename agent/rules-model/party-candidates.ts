import { foldText } from './fold';
import type { Concept } from './labels/concepts';
import { labelsOf, type Match } from './labels/match';
import { cleanName, hasLegalForm, isContact, isName, isPostalCity, isStreet, nameKey } from './names';
import type { Cell, DocumentText, Line } from './page-text';

/** A name that may be seller or buyer, with what speaks for either. */
export interface PartyCandidate {
  readonly name: string;
  readonly line: Line;
  readonly quote: string;
  readonly seller: number;
  readonly buyer: number;
}

/** Letterheads, address windows and headings stand on the first page; footers too. */
const HEAD_LINES = 70;
const COLUMN_SLACK = 4;

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

function headingConcept(cell: Cell, concept: Concept): Match | undefined {
  return labelsOf(cell).find((match) => match.concepts.has(concept) && isHeading(match));
}

/** Cells of the same column below a cell, nearest first. */
export function columnBelow(cell: Cell, document: DocumentText, depth: number): Cell[] {
  const found: Cell[] = [];
  for (let step = 1; step <= depth; step++) {
    const line = document.lines[cell.line.index + step];
    if (!line || line.page !== cell.line.page) break;
    const inColumn = line.cells.find(
      (other) =>
        Math.abs(other.start - cell.start) <= COLUMN_SLACK ||
        (other.start >= cell.start && other.start < cell.end),
    );
    if (inColumn) found.push(inColumn);
  }
  return found;
}

function columnAbove(cell: Cell, document: DocumentText, depth: number): Cell[] {
  const found: Cell[] = [];
  for (let step = 1; step <= depth; step++) {
    const line = document.lines[cell.line.index - step];
    if (!line || line.page !== cell.line.page) break;
    const inColumn = line.cells.find((other) => Math.abs(other.start - cell.start) <= COLUMN_SLACK);
    if (inColumn) found.push(inColumn);
  }
  return found;
}

const HEADINGS: readonly Concept[] = ['seller', 'buyer', 'shipTo', 'otherHeading'];

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

function fromHeadings(document: DocumentText, lines: readonly Line[]): PartyCandidate[] {
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

const SEPARATOR = /\s*[●•·|◦∙▪*]\s*|\s+[-\u2013\u2014]\s+|,\s+/;

/** The small line with name and address above the window of an envelope, or below a letterhead. */
function fromSenderLines(lines: readonly Line[]): PartyCandidate[] {
  return lines.flatMap((line) =>
    senderRuns(line).map(([name = '']) => ({
      name: cleanName(name),
      line,
      quote: name.trim(),
      seller: 4.5,
      buyer: -4,
    })),
  );
}

/** In a window envelope the addressee stands right below the sender line. */
function belowSenderLines(document: DocumentText, lines: readonly Line[]): PartyCandidate[] {
  return lines.flatMap((line) => {
    const [cell] = line.cells;
    if (!cell || senderRuns(line).length === 0) return [];
    const name = columnBelow(cell, document, 3).find(isName);
    if (!name || name.line.index - line.index > 3) return [];
    return [{ name: cleanName(name.text), line: name.line, quote: name.text, seller: -1, buyer: 2.2 }];
  });
}

const HOLDER =
  /(?:account holder|kontoinhaber|titulaire(?: du compte)?|beneficiary(?: name)?|bénéficiaire|titular(?: de la cuenta)?|intestatari[oa](?: conto)?|beneficiario|ten name van|t\.n\.v\.)\s*:?\s+(\p{Lu}[^|\u2022\u00b7,;:]{2,60})/iu;

/** Who holds the account that is to be paid into. */
function fromAccountHolders(document: DocumentText): PartyCandidate[] {
  return document.lines.flatMap((line) => {
    const holder = HOLDER.exec(line.text)?.[1]?.split(/\s{2,}|\s[-\u2013]\s/)[0];
    const name = holder ? cleanName(holder) : '';
    return name.length < 3 || /\d{3}/.test(name) ? [] : [{ name, line, quote: name, seller: 2.4, buyer: -2 }];
  });
}

/** The parts of each run of a line that reads like "name, street, town". */
function senderRuns(line: Line): string[][] {
  // Marks between the parts may stand wide apart; a real column stands further off.
  return line.text
    .split(/\s{8,}/)
    .map((run) =>
      run
        .trim()
        .split(SEPARATOR)
        .filter((part) => part.trim() !== ''),
    )
    .filter((parts) => {
      const [name] = parts;
      if (parts.length < 3 || !name || !parts.slice(1).some((part) => isPostalCity(part))) return false;
      return !/\d{3}|:/.test(name) && /\p{L}{2}/u.test(name) && !isStreet(name);
    });
}

interface Signals {
  readonly contacts: number;
  readonly taxIds: number;
}

/** Tax and register numbers, or a bank account, as a sender prints them; "Account no." may be the customer's. */
function isRegistration(match: Match): boolean {
  if (!match.startsCell || match.concepts.has('otherNumber')) return false;
  return match.concepts.has('taxId') || match.concepts.has('bank');
}

/** What follows an address and no longer belongs to it. */
function endsBlock(cell: Cell): boolean {
  return labelsOf(cell).some(
    (match) =>
      match.startsCell &&
      ENDINGS.some((concept) => match.concepts.has(concept)) &&
      !match.concepts.has('taxId'),
  );
}
const ENDINGS: readonly Concept[] = ['title', 'invoiceNumber', 'issueDate', 'otherNumber'];

function signalsOf(cells: readonly Cell[]): Signals {
  let contacts = 0;
  let taxIds = 0;
  for (const cell of cells) {
    if (isContact(cell.text)) contacts++;
    if (labelsOf(cell).some(isRegistration)) taxIds++;
  }
  return { contacts, taxIds };
}

/** Blocks of an address: name over street over postcode and town. */
function fromAddresses(document: DocumentText, lines: readonly Line[]): PartyCandidate[] {
  const found: PartyCandidate[] = [];
  for (const line of lines) {
    for (const cell of line.cells) {
      if (!isPostalCity(cell.text) && !/^\p{Lu}[\p{L} ]+, [A-Z]{2,3}$/u.test(cell.text)) continue;
      const above = columnAbove(cell, document, 8);
      const heading = above.findIndex((other) => HEADINGS.some((concept) => headingConcept(other, concept)));
      const block = heading === -1 ? above : above.slice(0, heading);
      const name = nameOfBlock(block, document);
      if (!name) continue;
      const below = columnBelow(cell, document, 6);
      const stop = below.findIndex(
        (other) => endsBlock(other) || HEADINGS.some((concept) => headingConcept(other, concept)),
      );
      const signals = signalsOf([...block, ...(stop === -1 ? below : below.slice(0, stop))]);
      const headed = heading === -1 ? undefined : above[heading];
      found.push(rateAddress(name, signals, headed, cell));
    }
  }
  return found;
}

function rateAddress(name: Cell, signals: Signals, headed: Cell | undefined, city: Cell): PartyCandidate {
  const isOwn = signals.taxIds > 0 || signals.contacts > 0;
  let seller = Math.min(signals.taxIds, 2) * 1.5 + Math.min(signals.contacts, 2) * 1;
  let buyer = isOwn ? 0.5 : 2.2;
  if (headed) {
    if (headingConcept(headed, 'seller')) [seller, buyer] = [seller + 3, buyer - 4];
    if (headingConcept(headed, 'buyer')) [seller, buyer] = [seller - 5, buyer + 3];
    if (headingConcept(headed, 'shipTo')) [seller, buyer] = [seller - 5, 0.3];
  }
  if (city.start < 40 && !isOwn) buyer += 0.4;
  return { name: cleanName(name.text), line: name.line, quote: name.text, seller, buyer };
}

/**
 * The name in the lines over a town: one with a legal form, else one that the document repeats, else the highest
 * (below it a contact person may stand).
 */
function nameOfBlock(above: readonly Cell[], document: DocumentText): Cell | null {
  const names: Cell[] = [];
  let previous = above[0]?.line;
  for (const cell of above) {
    const distance = (previous?.index ?? 0) - cell.line.index;
    if (distance > (names.length > 0 ? 2 : 4) || (names.length > 0 && previous?.gapAbove)) break;
    previous = cell.line;
    if (senderRuns(cell.line).length > 0) break;
    if (isName(cell)) names.push(cell);
    else if (!isStreet(cell.text) && !isPostalCity(cell.text) && names.length > 0) break;
  }
  const withForm = names.find((cell) => hasLegalForm(cell.text));
  if (withForm) return withForm;
  const repeated = names
    .map((cell) => ({ cell, count: occurrences(cell.text, document) }))
    .sort((a, b) => b.count - a.count);
  const [most, second] = repeated;
  if (most && second && most.count > second.count && most.count > 1) return most.cell;
  return names.at(-1) ?? null;
}

export function occurrences(name: string, document: DocumentText): number {
  const folded = foldText(name);
  let count = 0;
  for (const line of document.lines.slice(0, 400)) {
    for (const cell of line.cells) if (cell.folded.text.includes(folded)) count++;
  }
  return count;
}

/** The second line of a name that is set on two: "(SETIA ALAM) SDN BHD". */
function continuationOf(cell: Cell, document: DocumentText): string {
  const under = document.lines[cell.line.index + 1];
  const [only] = under?.cells ?? [];
  if (!only || under?.cells.length !== 1 || hasLegalForm(cell.text) || under.page !== cell.line.page) {
    const isOpen = /ENTERPRISE$/i.test(cell.text) && only !== undefined && /^\(/.test(only.text);
    if (!isOpen) return '';
  }
  const isRest =
    only &&
    only.text.length < 40 &&
    hasLegalForm(only.text) &&
    (/^\(/.test(only.text) || only.text.split(' ').length <= 2);
  return isRest ? ` ${only.text}` : '';
}

/** Lines at the top in which a letterhead may stand. */
const LETTERHEAD_LINES = 9;

function fromLetterhead(document: DocumentText, lines: readonly Line[]): PartyCandidate[] {
  const found: PartyCandidate[] = [];
  for (const [position, line] of lines.slice(0, LETTERHEAD_LINES).entries()) {
    for (const cell of line.cells) {
      if (!isName(cell) || labelsOf(cell).some((match) => match.concepts.has('title') && match.startsCell))
        continue;
      const near = [...columnBelow(cell, document, 5), ...line.cells.filter((other) => other !== cell)];
      const signals = signalsOf(near);
      const form = hasLegalForm(cell.text) ? 1 : 0;
      const [under] = columnBelow(cell, document, 1);
      const isFollowed = under !== undefined && isContact(under.text);
      const seller =
        (found.length === 0 ? 1.2 : 0) +
        (isFollowed ? 0.7 : 0) +
        form +
        Math.min(signals.contacts, 2) * 0.8 +
        Math.min(signals.taxIds, 2) * 0.8 -
        position * 0.08;
      found.push({
        name: cleanName(`${cell.text}${continuationOf(cell, document)}`),
        line,
        quote: cell.text,
        seller,
        buyer: 0,
      });
    }
  }
  return found;
}

/** A company in the footer beside its register, tax or bank numbers. */
function fromFooter(lines: readonly Line[]): PartyCandidate[] {
  const found: PartyCandidate[] = [];
  for (const [position, line] of lines.slice(-9).entries()) {
    const [cell] = line.cells;
    const under = lines.slice(-9)[position + 1];
    const isOverRegistration = under?.cells.some(
      (other) => isContact(other.text) || isPostalCity(other.text) || labelsOf(other).some(isRegistration),
    );
    if (cell && line.cells.length === 1 && isName(cell) && isOverRegistration) {
      found.push({ name: cleanName(cell.text), line, quote: cell.text, seller: 2.4, buyer: -2 });
    }
  }
  for (const line of lines.slice(-8)) {
    const isFooter = line.cells.some((cell) => signalsOf([cell]).taxIds > 0 || isContact(cell.text));
    for (const cell of line.cells) {
      const [first] = cell.text.split(/\s+[-\u2013|•●·]\s+|,\s+/);
      if (
        !first ||
        !hasLegalForm(first) ||
        !/^\p{Lu}/u.test(first) ||
        first.length > 60 ||
        /\d{3}|:/.test(first)
      )
        continue;
      if (/au capital|capitale/i.test(first)) continue;
      found.push({ name: cleanName(first), line, quote: first, seller: isFooter ? 2.6 : 1.6, buyer: -3 });
    }
  }
  return found;
}

/** All names on the first page that could be seller or buyer. */
export function findPartyCandidates(
  document: DocumentText,
  tableStart = Number.POSITIVE_INFINITY,
): PartyCandidate[] {
  const page = document.pages[0] ?? [];
  const head = page.slice(0, HEAD_LINES).filter((line) => line.index < tableStart);
  return [
    ...fromHeadings(document, head),
    ...fromSenderLines(page),
    ...belowSenderLines(document, head),
    ...fromAccountHolders(document),
    ...fromAddresses(document, head),
    ...fromLetterhead(document, head),
    ...fromFooter(page),
  ];
}
