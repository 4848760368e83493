import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument, type PDFPage, StandardFonts } from 'pdf-lib';

const SAMPLES = path.resolve('public', 'samples');

/** Without the time of its making, so that the same content is the same bytes. */
async function newDocument(): Promise<PDFDocument> {
  const pdf = await PDFDocument.create();
  pdf.setCreationDate(new Date(0));
  pdf.setModificationDate(new Date(0));
  return pdf;
}

/** One of the samples that come with the product, such as `scanned-invoice.pdf`. */
export function sample(name: string): Promise<Uint8Array> {
  return readFile(path.join(SAMPLES, name));
}

/** Pages that are images and have to be recognised: the sample scan over and over. Some seconds each. */
export async function longScan(pages: number): Promise<Uint8Array> {
  const scan = await PDFDocument.load(await sample('scanned-invoice.pdf'));
  const pdf = await newDocument();
  for (let page = 0; page < pages; page += 1) {
    const [copy] = await pdf.copyPages(scan, [0]);
    pdf.addPage(copy);
  }
  return pdf.save();
}

/** A page with one word on it, in which no agent finds anything. */
export async function oneWord(word: string): Promise<Uint8Array> {
  const pdf = await newDocument();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  pdf.addPage([595, 842]).drawText(word, { x: 80, y: 700, size: 14, font });
  return pdf.save();
}

/** What stands on a made invoice, as it is printed and as it should be read. */
export const MADE = {
  seller: 'Lantern & Pike Ltd',
  number: 'LP-2026-118',
  grandTotal: { printed: '3,126.00', value: '3126.00' },
  lines: [
    { description: 'Site survey', quantity: '2', price: '450.00', amount: '900.00' },
    { description: 'Structural drawings', quantity: '1', price: '1,280.00', amount: '1,280.00' },
    { description: 'Printed copies', quantity: '50', price: '8.50', amount: '425.00' },
  ],
} as const;

/** An invoice of two pages with its totals on the second, far below what a screen shows at first. */
export async function madeInvoice(number: string = MADE.number): Promise<Uint8Array> {
  const pdf = await newDocument();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const write = (page: PDFPage, text: string, x: number, y: number, size = 10) =>
    page.drawText(text, { x, y: 842 - y, size, font });
  const first = pdf.addPage([595, 842]);
  write(first, MADE.seller, 60, 70, 16);
  write(first, '7 Harbour Row, Whitby YO21 3PU', 60, 88);
  write(first, 'VAT number GB 123 4567 89 · accounts@lanternpike.example', 60, 102);
  write(first, 'Bill to', 60, 140);
  write(first, 'Moorland Estates plc', 60, 156);
  write(first, '12 Heather Lane', 60, 170);
  write(first, 'Leeds LS1 4AB', 60, 184);
  write(first, 'INVOICE', 60, 220, 18);
  write(first, 'Invoice number', 340, 70);
  write(first, number, 460, 70);
  write(first, 'Invoice date', 340, 86);
  write(first, '14 April 2026', 460, 86);
  write(first, 'Due date', 340, 102);
  write(first, '14 May 2026', 460, 102);
  const columns = [60, 340, 400, 480];
  ['Description', 'Quantity', 'Unit price', 'Amount'].forEach((head, index) => {
    write(first, head, columns[index] ?? 0, 270);
  });
  MADE.lines.forEach(({ description, quantity, price, amount }, row) => {
    [description, quantity, price, amount].forEach((text, index) => {
      write(first, text, columns[index] ?? 0, 292 + row * 20);
    });
  });
  const second = pdf.addPage([595, 842]);
  const totals = [
    ['Subtotal', '2,605.00'],
    ['VAT 20%', '521.00'],
    ['Total due (GBP)', MADE.grandTotal.printed],
  ] as const;
  totals.forEach(([label, value], row) => {
    write(second, label, 340, 600 + row * 22);
    write(second, value, 480, 600 + row * 22);
  });
  return pdf.save();
}

/** Calls itself a PDF and is none. */
export const NOT_A_PDF = Buffer.from('Minutes of the meeting.\nNothing here is a PDF.\n'.repeat(20));
