import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { SaxesParser } from 'saxes';

/** The two figures of an embedded e-invoice that the page is compared with. No value of a result is taken from it. */
export interface EmbeddedInvoice {
  readonly invoiceNumber: string | null;
  readonly grandTotal: string | null;
}

const NAMES = /(factur-?x|zugferd|xrechnung|order-x).*\.xml$/i;
const MAX_XML_BYTES = 5 * 1024 * 1024;

/** The embedded Factur-X, ZUGFeRD or XRechnung invoice of a PDF, or null. */
export async function embeddedInvoice(pdf: PDFDocumentProxy): Promise<EmbeddedInvoice | null> {
  try {
    const attachments: ReadonlyMap<string, { filename: string }> | null = await pdf.getAttachments();
    for (const [id, { filename }] of attachments ?? []) {
      if (!NAMES.test(filename)) continue;
      const content = await pdf.getAttachmentContent(id);
      if (content === null || content.length > MAX_XML_BYTES) continue;
      return parseInvoiceXml(new TextDecoder().decode(content));
    }
  } catch {
    // An attachment that cannot be read says nothing about the page.
  }
  return null;
}

/** Where the figures stand, by the local names of the elements: UN/CEFACT (ZUGFeRD, Factur-X) and UBL. */
const NUMBER_PATHS = ['ExchangedDocument/ID', 'HeaderExchangedDocument/ID', 'Invoice/ID', 'CreditNote/ID'];
const TOTAL_PATHS = ['GrandTotalAmount', 'LegalMonetaryTotal/TaxInclusiveAmount'];

/**
 * Reads the invoice number and the grand total out of an e-invoice. Entities of the document's own are not expanded.
 */
export function parseInvoiceXml(xml: string): EmbeddedInvoice {
  const parser = new SaxesParser();
  const path: string[] = [];
  let text = '';
  let invoiceNumber: string | null = null;
  let grandTotal: string | null = null;
  parser.on('error', () => undefined);
  parser.on('opentag', (tag) => {
    path.push(tag.name.replace(/^.*:/, ''));
    text = '';
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', () => {
    const at = path.join('/');
    const value = text.trim();
    if (value !== '' && NUMBER_PATHS.some((end) => at.endsWith(end))) invoiceNumber ??= value;
    if (value !== '' && TOTAL_PATHS.some((end) => at.endsWith(end))) grandTotal ??= value;
    path.pop();
    text = '';
  });
  parser.write(xml).close();
  return { invoiceNumber, grandTotal };
}
