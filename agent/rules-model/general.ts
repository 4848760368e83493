import { findDates } from './dates';
import { findCurrency } from './document-currency';
import { type Finding, finding, sureOnly } from './finding';
import { findInvoiceDates } from './invoice-dates';
import type { Setting } from './language';
import { cleanName, hasLegalForm, isName, nameKey } from './names';
import { decimalText, findNumbers, isMoney } from './numbers';
import type { DocumentText } from './page-text';
import { findParties } from './parties';
import { findTitle } from './title';

interface LabelledAmount {
  readonly label: string | null;
  readonly amount: string;
  readonly currency: string | null;
}

export interface GeneralFindings {
  readonly title: Finding<string> | null;
  readonly document_date: Finding<string> | null;
  readonly parties: readonly Finding<string>[];
  readonly amounts: readonly Finding<LabelledAmount>[];
}

const MAX_AMOUNTS = 200;
const MAX_PARTIES = 10;

function findAmounts(document: DocumentText, setting: Setting): Finding<LabelledAmount>[] {
  const found: Finding<LabelledAmount>[] = [];
  const home = findCurrency(document, setting)?.value ?? null;
  for (const line of document.lines) {
    const dates = findDates(line.text, setting.dateOrder);
    for (const token of findNumbers(line.text, setting.decimalSign)) {
      if (!isMoney(token) || dates.some((date) => token.start < date.end && date.start < token.end)) continue;
      // Without a currency only amounts at the end of a line are money; others may be areas or weights.
      const isLast = line.text.slice(token.end).trim() === '';
      if (token.currency === null && !isLast) continue;
      const words = line.text
        .slice(0, token.start)
        .replace(/[\d.,€$£%]+/g, ' ')
        .replace(/\s+/g, ' ')
        .replace(/[\s:.=-]+$/, '')
        .trim();
      const currency = token.currency === '$' ? (home ?? 'USD') : (token.currency ?? home);
      const label = words === '' ? null : words.slice(-120);
      found.push(
        finding(
          { label, amount: decimalText(token), currency },
          line,
          line.text.slice(token.start, token.end).trim(),
          token.currency ? 0.75 : 0.55,
        ),
      );
      if (found.length >= MAX_AMOUNTS) return found;
    }
  }
  return found;
}

/** Sender and recipient where the page shows them like a letter does, then other names with a legal form. */
function findNames(document: DocumentText): Finding<string>[] {
  const { seller, buyer } = findParties(document);
  const found = [seller, buyer].filter((party) => party !== null);
  for (const line of document.lines.slice(0, 80)) {
    for (const cell of line.cells) {
      const name = cleanName(cell.text);
      if (!isName(cell) || !hasLegalForm(name) || name.split(' ').length > 8) continue;
      if (
        found.some(
          (other) =>
            nameKey(other.value).includes(nameKey(name)) || nameKey(name).includes(nameKey(other.value)),
        )
      )
        continue;
      found.push(finding(name, line, cell.text, 0.6));
    }
  }
  return found.slice(0, MAX_PARTIES);
}

/** The fields of any document. */
export function findGeneralFields(document: DocumentText, setting: Setting): GeneralFindings {
  return {
    title: findTitle(document),
    document_date: sureOnly(findInvoiceDates(document, setting).issueDate),
    parties: findNames(document),
    amounts: findAmounts(document, setting),
  };
}
