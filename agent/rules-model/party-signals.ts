import type { Concept } from './labels/concepts';
import { labelsOf, type Match } from './labels/match';
import { isContact } from './names';
import type { Cell } from './page-text';

/** Signs that a block of lines is the sender's. */
export interface Signals {
  readonly contacts: number;
  readonly taxIds: number;
}

/** Tax and register numbers, or a bank account, as a sender prints them; "Account no." may be the customer's. */
export function isRegistration(match: Match): boolean {
  if (!match.startsCell || match.concepts.has('otherNumber')) return false;
  return match.concepts.has('taxId') || match.concepts.has('bank');
}

/** What follows an address and no longer belongs to it. */
export function endsBlock(cell: Cell): boolean {
  return labelsOf(cell).some(
    (match) =>
      match.startsCell &&
      ENDINGS.some((concept) => match.concepts.has(concept)) &&
      !match.concepts.has('taxId'),
  );
}
const ENDINGS: readonly Concept[] = ['title', 'invoiceNumber', 'issueDate', 'otherNumber'];

export function signalsOf(cells: readonly Cell[]): Signals {
  let contacts = 0;
  let taxIds = 0;
  for (const cell of cells) {
    if (isContact(cell.text)) contacts++;
    if (labelsOf(cell).some(isRegistration)) taxIds++;
  }
  return { contacts, taxIds };
}
