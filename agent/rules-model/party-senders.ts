import { labelsOf } from './labels/match';
import { cleanName, hasLegalForm, isContact, isName, isPostalCity, isStreet } from './names';
import { columnBelow } from './page-columns';
import type { DocumentText, Line } from './page-text';
import type { PartyCandidate } from './party-candidate';
import { isRegistration, signalsOf } from './party-signals';

const SEPARATOR = /\s*[●•·|◦∙▪*]\s*|\s+[-\u2013\u2014]\s+|,\s+/;

/** The small line with name and address above the window of an envelope, or below a letterhead. */
export function fromSenderLines(lines: readonly Line[]): PartyCandidate[] {
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
export function belowSenderLines(document: DocumentText, lines: readonly Line[]): PartyCandidate[] {
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
export function fromAccountHolders(document: DocumentText): PartyCandidate[] {
  return document.lines.flatMap((line) => {
    const holder = HOLDER.exec(line.text)?.[1]?.split(/\s{2,}|\s[-\u2013]\s/)[0];
    const name = holder ? cleanName(holder) : '';
    return name.length < 3 || /\d{3}/.test(name) ? [] : [{ name, line, quote: name, seller: 2.4, buyer: -2 }];
  });
}

/** The parts of each run of a line that reads like "name, street, town". */
export function senderRuns(line: Line): string[][] {
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

/** A company in the footer beside its register, tax or bank numbers. */
export function fromFooter(lines: readonly Line[]): PartyCandidate[] {
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
