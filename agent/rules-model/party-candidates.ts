import type { DocumentText } from './page-text';
import { fromAddresses, fromLetterhead } from './party-addresses';
import type { PartyCandidate } from './party-candidate';
import { fromHeadings } from './party-headings';
import { belowSenderLines, fromAccountHolders, fromFooter, fromSenderLines } from './party-senders';

/** Letterheads, address windows and headings stand on the first page; footers too. */
const HEAD_LINES = 70;

/** All names on the first page that could be seller or buyer. */
export function findPartyCandidates(
  document: DocumentText,
  tableStart = Number.POSITIVE_INFINITY,
): PartyCandidate[] {
  const page = document.pages[0] ?? [];
  const head = page.slice(0, HEAD_LINES).filter((line) => line.index < tableStart);
  // On a short page the last lines reach up to the addressee, who is no footer.
  const belowTable = page.filter((line) => line.index > tableStart);
  return [
    ...fromHeadings(document, head),
    ...fromSenderLines(page),
    ...belowSenderLines(document, head),
    ...fromAccountHolders(document),
    ...fromAddresses(document, head),
    ...fromLetterhead(document, head),
    ...fromFooter(belowTable.length > 0 ? belowTable : page),
  ];
}
