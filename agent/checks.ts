import Big from 'big.js';
import type { ResultField, Warning } from '@/lib/contract/result';
import type { EmbeddedInvoice } from './reader/embedded-xml';
import type { PageLines } from './windows';

/** Rounding of single taxes may leave a cent or two. */
const TOLERANCE = new Big('0.02');

/** Says when net and tax do not make the grand total. */
export function totalsWarning(fields: readonly ResultField[]): Warning | null {
  const net = amount(fields, 'net_total');
  const tax = amount(fields, 'tax_total');
  const grand = amount(fields, 'grand_total');
  if (net === null || tax === null || grand === null) return null;
  if (net.plus(tax).minus(grand).abs().lte(TOLERANCE)) return null;
  return {
    code: 'totals_do_not_add_up',
    message: `Net total ${net.toFixed()} and tax ${tax.toFixed()} make ${net.plus(tax).toFixed()}, but the grand total is ${grand.toFixed()}.`,
  };
}

/** Says when an embedded e-invoice gives another number or total than the page; the page counts. */
export function embeddedWarning(
  fields: readonly ResultField[],
  embedded: EmbeddedInvoice | null,
): Warning | null {
  if (embedded === null) return null;
  const differences: string[] = [];
  const number = fieldValue(fields, 'invoice_number');
  if (number !== null && embedded.invoiceNumber !== null && plain(number) !== plain(embedded.invoiceNumber)) {
    differences.push(`invoice number ${embedded.invoiceNumber} instead of ${number}`);
  }
  const total = amount(fields, 'grand_total');
  const other = toBig(embedded.grandTotal);
  if (total !== null && other !== null && !total.eq(other)) {
    differences.push(`grand total ${other.toFixed()} instead of ${total.toFixed()}`);
  }
  if (differences.length === 0) return null;
  return {
    code: 'embedded_xml_differs',
    message: `The invoice data embedded in the PDF says ${differences.join(' and ')}. The values here are those on the page.`,
  };
}

/** "Page 1 of 3", as it is printed in several languages. */
const FIRST_PAGE =
  /(?:^|[^\p{L}])(?:page|seite|blatt|pagina|página|pág|pag|p)\.?\s*:?\s*1\s*(?:\/|of|von|sur|de|di|van)\s*(\d{1,4})(?!\d)/iu;

/** Says when page numbering starts again in the middle: several documents in one file. */
export function severalDocumentsWarning(pages: readonly PageLines[]): Warning | null {
  const starts = pages
    .filter(({ lines }) => lines.some((line) => FIRST_PAGE.test(line.text)))
    .map(({ page }) => page);
  if (starts.length < 2) return null;
  return {
    code: 'several_documents',
    message: `The file seems to hold ${starts.length} documents, starting on pages ${starts.slice(0, 20).join(', ')}. Only one set of values is given.`,
  };
}

function fieldValue(fields: readonly ResultField[], name: string): string | null {
  const value = fields.find((field) => field.name === name)?.value;
  return typeof value === 'string' ? value : null;
}

function amount(fields: readonly ResultField[], name: string): Big | null {
  return toBig(fieldValue(fields, name));
}

function toBig(value: string | null): Big | null {
  return value !== null && /^-?\d{1,30}(\.\d{1,30})?$/.test(value) ? new Big(value) : null;
}

function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
