import { findDates } from './dates';
import { type Finding, finding, sureOnly } from './finding';
import { findLabels, labelsOf, type Match } from './labels/match';
import type { DocumentText, Line } from './page-text';
import { type Spot, spotsOf } from './values';

/** Words that end a number: "RE-1 vom 01.02.2024". */
const STOP =
  /\s(?:vom|von|from|dated?|issued|du|del|della|de|le|en|van|op|of|on|datum|fecha|data|page|seite|pagina|-)(?![\p{L}\p{N}])|\s\s|[,;|]\s|\s[\u2013(]/iu;
const FILLER =
  /^(?:(?:nr|no|n|num|nummer|number|numero|número|numéro|nro|id)(?=[\s.:°º#])|n[°º]|[#:.°º\s])[\s.:°º#]*/iu;
const ID = /^[\p{L}\p{N}][\p{L}\p{N}._/\\\-\u2013#]*$/u;

/** The number at the start of a text, or null where none stands there. */
function readInvoiceNumber(text: string, mustFill: boolean): string | null {
  let rest = text.trim();
  for (let filler = FILLER.exec(rest); filler && filler[0] !== ''; filler = FILLER.exec(rest)) {
    rest = rest.slice(filler[0].length);
  }
  const stop = STOP.exec(rest);
  const head = (stop ? rest.slice(0, stop.index) : rest).trim().replace(/[.,;:)]+$/, '');
  if (head === '' || head.length > 60) return null;
  const words = head.split(/\s/);
  // "RE 2024 001": a number in a few groups of capitals and digits.
  const isGrouped =
    words.length > 1 &&
    words.length <= 4 &&
    words.every((word) => /^[\p{Lu}\d][\p{Lu}\d./-]{0,9}$/u.test(word)) &&
    words.filter((word) => /\d/.test(word)).length >= words.length - 1 &&
    !words.some((word) => /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(word));
  const id = isGrouped ? head : (words[0] ?? '');
  if (mustFill && id !== head) return null;
  if (!/\d/.test(id) || id.length > 40) return null;
  if (!isGrouped && !ID.test(id)) return null;
  if (/^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$|%$/.test(id)) return null;
  const [date] = findDates(id, 'day-first');
  if (date && date.end - date.start >= id.length - 1) return null;
  return id;
}

interface Candidate {
  readonly id: string;
  readonly line: Line;
  readonly score: number;
}

function fromSpot(spot: Spot, base: number, isTitle: boolean): Candidate | null {
  const id = readInvoiceNumber(spot.text, spot.where !== 'inline' || isTitle);
  if (!id) return null;
  return { id, line: spot.line, score: base - Math.min(spot.distance, 6) * 0.03 };
}

/** In "Gutschrift zu Rechnung Nr. 5" the number belongs to another document. */
function isOfAnother(match: Match): boolean {
  return labelsOf(match.cell).some(
    (other) => other.concepts.has('otherNumber') && other.to <= match.from && other.weight > 3,
  );
}

/** "Mietrechnung (387) Nr. 93/M vom 01.10.2018": a title of any composition, the number, then the date. */
const TITLED =
  /(?:rechnung|gutschrift|invoice|credit (?:note|memo)|facture|avoir|factura|abono|fattura|nota di credito|factuur|creditnota)[^\n]{0,60}?\s(?:nr|no|n[°º]|num|n|nummer|number)[.:]?\s*(\S{2,40})\s+(?:vom|dated|du|del|de fecha|van|of|date)(?:\s|$)/iu;

function titled(line: Line): Candidate | null {
  const id = readInvoiceNumber(TITLED.exec(line.text)?.[1] ?? '', true);
  return id ? { id, line, score: 0.84 } : null;
}

function candidatesOf(document: DocumentText): Candidate[] {
  const candidates: Candidate[] = [];
  for (const match of findLabels(document.lines, 'invoiceNumber')) {
    if (isOfAnother(match)) continue;
    const isSingleWord = match.weight <= 6;
    const base = (match.startsCell ? 0.95 : 0.85) - (isSingleWord ? 0.25 : 0);
    for (const spot of spotsOf(match, document)) {
      const candidate = fromSpot(spot, base, false);
      if (candidate) {
        candidates.push(candidate);
        break;
      }
    }
  }
  for (const match of findLabels(document.lines.slice(0, 60), 'title')) {
    if (!match.startsCell) continue;
    for (const spot of spotsOf(match, document)) {
      if (spot.where === 'right' && spot.distance > 1.8) continue;
      const hasMark = /^\s*(?:#|n[°ºor])/i.test(spot.text);
      const candidate = fromSpot(spot, hasMark ? 0.8 : 0.7, spot.where !== 'inline');
      // A short plain number below a title is more often a page or a year.
      if (candidate && (hasMark || candidate.id.length >= 3)) {
        candidates.push(candidate);
        break;
      }
    }
  }
  for (const line of document.lines.slice(0, 25)) {
    const candidate = titled(line);
    if (
      candidate &&
      !line.cells.some((cell) =>
        /(?:bestellung|order|commande|pedido|ordine|zu rechnung|zur rechnung)/i.test(cell.text),
      )
    ) {
      candidates.push(candidate);
    }
  }
  return candidates;
}

/** The number of the invoice, credit note or receipt. */
export function findInvoiceNumber(document: DocumentText): Finding<string> | null {
  const candidates = candidatesOf(document);
  let best: Candidate | null = null;
  for (const candidate of candidates) {
    const repeats = candidates.filter((other) => other.id === candidate.id).length;
    const score = candidate.score + (repeats > 1 ? 0.04 : 0);
    if (!best || score > best.score) best = { ...candidate, score };
  }
  return best ? sureOnly(finding(best.id, best.line, best.id, best.score)) : null;
}
