import { type Color, rgb } from 'pdf-lib';
import { GREY, MARGIN, newDocument, type Sheet } from './sheet';

export interface InvoiceSample {
  readonly title: string;
  readonly seller: readonly string[];
  readonly buyer: readonly string[];
  /** What stands above the buyer, such as "Bill to". */
  readonly buyerHeading: string;
  readonly tint: Color;
  /** Label and value, such as the number and the dates. */
  readonly facts: readonly (readonly [string, string])[];
  readonly columns: readonly [string, string, string, string];
  readonly items: readonly (readonly [string, string, string, string])[];
  readonly totals: readonly (readonly [string, string])[];
  readonly closing: string;
  readonly footer: string;
}

const RIGHT = 595.28 - MARGIN;
const COLUMNS = { description: MARGIN, quantity: 352, price: 446, amount: RIGHT };

/** One page, one invoice. */
export async function makeInvoice(sample: InvoiceSample): Promise<Uint8Array> {
  const { pdf, addSheet } = await newDocument(sample.title);
  const sheet = addSheet();
  sheet.page.drawRectangle({ x: 0, y: 841.89 - 8, width: 595.28, height: 8, color: sample.tint });
  drawHead(sheet, sample);
  const below = drawItems(sheet, sample, 318);
  drawTotals(sheet, sample, below + 10);
  sheet.rule(780);
  sheet.text(sample.footer, MARGIN, 795, { size: 7.5, color: GREY });
  return pdf.save();
}

function drawHead(sheet: Sheet, { seller, buyer, buyerHeading, title, facts, tint }: InvoiceSample) {
  sheet.text(buyerHeading, MARGIN, 143, { size: 8.5, color: GREY });
  seller.forEach((line, index) => {
    const name = index === 0;
    sheet.text(line, MARGIN, 62 + index * 13 + (name ? 0 : 4), {
      bold: name,
      size: name ? 14 : 8.5,
      color: name ? tint : GREY,
    });
  });
  buyer.forEach((line, index) => {
    sheet.text(line, MARGIN, 158 + index * 13.5, { bold: index === 0 });
  });
  facts.forEach(([label, value], index) => {
    sheet.text(label, 352, 158 + index * 15, { color: GREY });
    sheet.text(value, RIGHT, 158 + index * 15, { right: true });
  });
  sheet.text(title, MARGIN, 272, { bold: true, size: 17 });
}

function drawItems(sheet: Sheet, { columns, items }: InvoiceSample, top: number): number {
  const heads = { bold: true, size: 8.5, color: GREY };
  sheet.text(columns[0], COLUMNS.description, top, heads);
  sheet.text(columns[1], COLUMNS.quantity, top, { ...heads, right: true });
  sheet.text(columns[2], COLUMNS.price, top, { ...heads, right: true });
  sheet.text(columns[3], COLUMNS.amount, top, { ...heads, right: true });
  sheet.rule(top + 7);
  let y = top + 22;
  for (const [description, quantity, price, amount] of items) {
    sheet.text(description, COLUMNS.description, y);
    sheet.text(quantity, COLUMNS.quantity, y, { right: true });
    sheet.text(price, COLUMNS.price, y, { right: true });
    sheet.text(amount, COLUMNS.amount, y, { right: true });
    sheet.rule(y + 7);
    y += 22;
  }
  return y;
}

function drawTotals(sheet: Sheet, { totals, closing }: InvoiceSample, top: number) {
  totals.forEach(([label, value], index) => {
    const last = index === totals.length - 1;
    const y = top + index * 18 + (last ? 6 : 0);
    if (last) sheet.rule(y - 14, 352);
    sheet.text(label, 352, y, { bold: last, size: last ? 11 : 9.5 });
    sheet.text(value, RIGHT, y, { right: true, bold: last, size: last ? 11 : 9.5 });
  });
  sheet.paragraph(closing, MARGIN, top + totals.length * 18 + 40, 430, { color: GREY });
}

export const GERMAN_INVOICE: InvoiceSample = {
  title: 'Rechnung',
  seller: [
    'Nordlicht Bürobedarf GmbH',
    'Speicherstraße 14 · 20457 Hamburg',
    'USt-IdNr. DE123456789 · HRB 90210 Amtsgericht Hamburg',
  ],
  buyerHeading: 'Rechnungsempfänger',
  buyer: ['Musterwerk AG', 'Einkauf', 'Industrieweg 7', '70565 Stuttgart'],
  tint: rgb(0.1, 0.32, 0.45),
  facts: [
    ['Rechnungsnummer', 'RE-2026-0417'],
    ['Rechnungsdatum', '12.03.2026'],
    ['Lieferdatum', '10.03.2026'],
    ['Fällig am', '11.04.2026'],
    ['Kundennummer', 'K-20881'],
  ],
  columns: ['Beschreibung', 'Menge', 'Einzelpreis', 'Betrag'],
  items: [
    ['Schreibtisch höhenverstellbar, Eiche', '12', '489,00 €', '5.868,00 €'],
    ['Bürostuhl Modell Flow, schwarz', '12', '276,50 €', '3.318,00 €'],
    ['Monitorarm, doppelt', '24', '64,90 €', '1.557,60 €'],
    ['Aktenschrank mit Rollladen, 5 OH', '4', '412,00 €', '1.648,00 €'],
    ['Lieferung und Montage', '1', '350,00 €', '350,00 €'],
  ],
  totals: [
    ['Nettobetrag', '12.741,60 €'],
    ['USt. 19 %', '2.420,90 €'],
    ['Gesamtbetrag', '15.162,50 €'],
  ],
  closing: 'Bitte überweisen Sie den Gesamtbetrag bis zum 11.04.2026 unter Angabe der Rechnungsnummer.',
  footer: 'Nordlicht Bürobedarf GmbH · IBAN DE02 1203 0000 0000 2020 51 · Beispieldokument',
};

export const ENGLISH_INVOICE: InvoiceSample = {
  title: 'Invoice',
  seller: ['Harbour Cloud Services Ltd', '3 Quay House, Bristol BS1 4DJ', 'VAT number GB 123 4567 89'],
  buyerHeading: 'Bill to',
  buyer: ['Fernhill Logistics plc', 'Accounts payable', '220 Mill Lane', 'Leeds LS9 8AX'],
  tint: rgb(0.13, 0.38, 0.27),
  facts: [
    ['Invoice number', 'HCS-10482'],
    ['Invoice date', '28 February 2026'],
    ['Due date', '30 March 2026'],
    ['Purchase order', 'PO-7731'],
  ],
  columns: ['Description', 'Quantity', 'Unit price', 'Amount'],
  items: [
    ['Managed database, February 2026', '3', '£420.00', '£1,260.00'],
    ['Object storage, per TB', '18', '£19.50', '£351.00'],
    ['Support plan, business hours', '1', '£600.00', '£600.00'],
    ['Migration workshop, per day', '2', '£875.00', '£1,750.00'],
  ],
  totals: [
    ['Subtotal', '£3,961.00'],
    ['VAT 20%', '£792.20'],
    ['Total due', '£4,753.20'],
  ],
  closing: 'Payment within 30 days to account 12345678, sort code 01-02-03, quoting HCS-10482.',
  footer: 'Harbour Cloud Services Ltd · Registered in England 01234567 · Sample document',
};

/** Printed, laid on a scanner a little askew: text only in the image. */
export const SCANNED_RECEIPT: InvoiceSample = {
  title: 'Invoice',
  seller: ['Oak & Anvil Hardware', '48 Foundry Road, Sheffield S3 8EN', 'VAT number GB 987 6543 21'],
  buyerHeading: 'Bill to',
  buyer: ['Fernhill Logistics plc', '220 Mill Lane', 'Leeds LS9 8AX'],
  tint: rgb(0.25, 0.25, 0.25),
  facts: [
    ['Invoice number', '2026-0093'],
    ['Invoice date', '19 January 2026'],
    ['Due date', '18 February 2026'],
  ],
  columns: ['Description', 'Quantity', 'Unit price', 'Amount'],
  items: [
    ['Pallet racking, upright frame', '8', '£74.00', '£592.00'],
    ['Crossbeam 2.7 m, pair', '16', '£38.25', '£612.00'],
    ['Safety pins, box of 100', '2', '£14.50', '£29.00'],
  ],
  totals: [
    ['Subtotal', '£1,233.00'],
    ['VAT 20%', '£246.60'],
    ['Total', '£1,479.60'],
  ],
  closing: 'Thank you for your order. Please pay within 30 days.',
  footer: 'Oak & Anvil Hardware · Sample document',
};
