import { foldText } from './fold';
import { labelsOf } from './labels/match';
import { cleanName, hasLegalForm, isContact, isName, isPostalCity, isStreet } from './names';
import { columnAbove, columnBelow } from './page-columns';
import type { Cell, DocumentText, Line } from './page-text';
import type { PartyCandidate } from './party-candidate';
import { HEADINGS, headingConcept } from './party-headings';
import { senderRuns } from './party-senders';
import { endsBlock, type Signals, signalsOf } from './party-signals';

/** Blocks of an address: name over street over postcode and town. */
export function fromAddresses(document: DocumentText, lines: readonly Line[]): PartyCandidate[] {
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
      const signals = signalsOf([
        ...block.slice(0, block.indexOf(name) + 1),
        ...(stop === -1 ? below : below.slice(0, stop)),
      ]);
      const headed = heading === -1 ? undefined : above[heading];
      found.push(
        rateAddress(name, cleanName(`${name.text}${continuationOf(name, document)}`), signals, headed, cell),
      );
    }
  }
  return found;
}

function rateAddress(
  name: Cell,
  nameText: string,
  signals: Signals,
  headed: Cell | undefined,
  city: Cell,
): PartyCandidate {
  const isOwn = signals.taxIds > 0 || signals.contacts > 0;
  let seller = Math.min(signals.taxIds, 2) * 1.5 + Math.min(signals.contacts, 2) * 1;
  let buyer = isOwn ? 0.5 : 2.2;
  if (headed) {
    if (headingConcept(headed, 'seller')) [seller, buyer] = [seller + 3, buyer - 4];
    if (headingConcept(headed, 'buyer')) [seller, buyer] = [seller - 5, buyer + 3];
    if (headingConcept(headed, 'shipTo')) [seller, buyer] = [seller - 5, 0.3];
  }
  if (city.start < 40 && !isOwn) buyer += 0.4;
  return { name: nameText, line: name.line, quote: name.text, seller, buyer };
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

function occurrences(name: string, document: DocumentText): number {
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

export function fromLetterhead(document: DocumentText, lines: readonly Line[]): PartyCandidate[] {
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
