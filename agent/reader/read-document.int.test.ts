import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layoutPage } from '@/agent/layout';
import { bombPdf, onePagePdf, rawPdf, rawStream, scannedPdf, textPdf } from '@/test/pdf';
import type { PageText } from './page';
import { readDocument } from './read-document';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickmark-reader-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(bytes: Buffer, maxPages = 2_000) {
  const path = join(folder, `${Math.random()}.pdf`);
  await writeFile(path, bytes);
  const pages: PageText[] = [];
  const codes: string[] = [];
  for await (const event of readDocument(path, maxPages)) {
    if (event.kind === 'page') pages.push(event.page);
    if (event.kind === 'done') codes.push(...event.warnings.map((warning) => warning.code));
  }
  return { pages, codes };
}

function lines(page: PageText | undefined): string[] {
  return page ? layoutPage(page).map((line) => line.text) : [];
}

test('words come with boxes in points from the top left of the page', async () => {
  const { pages } = await read(
    await textPdf([{ texts: [{ text: 'Total 473,00', x: 100, y: 200, size: 10 }] }]),
  );
  const [page] = pages;
  expect(page).toMatchObject({ page: 1, width: 595, height: 842, source: 'text', textAngle: 0 });
  const [total, amount] = page?.words ?? [];
  expect(total?.text).toBe('Total');
  expect(total?.x0).toBeCloseTo(100, 0);
  expect(total?.y1).toBeGreaterThan(199);
  expect(total?.y1).toBeLessThan(204);
  expect(amount?.text).toBe('473,00');
  expect(amount?.x0).toBeGreaterThan(total?.x1 ?? 0);
});

test('boxes follow the rotation of the page as it is displayed', async () => {
  const texts = [{ text: 'Sideways', x: 100, y: 200 }];
  const { pages } = await read(await textPdf([{ texts, rotate: 90 }]));
  const [page] = pages;
  expect(page).toMatchObject({ width: 842, height: 595, textAngle: 90 });
  // 200 from the top of the sheet is 642 from its right edge once it is turned clockwise.
  expect(page?.words[0]?.y0).toBeCloseTo(100, 0);
  expect(page?.words[0]?.x0).toBeGreaterThan(630);
  expect(lines(page)).toEqual(['Sideways']);
});

test('print too small to see is not read: it speaks to machines only', async () => {
  const texts = [
    { text: 'Total 10.00', x: 50, y: 100 },
    { text: 'tiny', x: 50, y: 200, size: 0.2 },
  ];
  const { pages } = await read(await textPdf([{ texts }]));
  expect(lines(pages[0])).toEqual(['Total 10.00']);
});

test('text beside the crop box is not read', async () => {
  const pdf = await PDFDocument.load(
    await textPdf([
      {
        texts: [
          { text: 'inside', x: 200, y: 400 },
          { text: 'outside', x: 10, y: 20 },
        ],
      },
    ]),
  );
  pdf.getPage(0).setCropBox(100, 100, 400, 600);
  const { pages } = await read(Buffer.from(await pdf.save()));
  expect(pages[0]).toMatchObject({ width: 400, height: 600 });
  expect(lines(pages[0])).toEqual(['inside']);
  expect(pages[0]?.words[0]?.x0).toBeCloseTo(100, 0);
});

test('what was filled into a form is read where it stands', async () => {
  const pdf = await PDFDocument.load(await textPdf([{ texts: [{ text: 'Invoice no.', x: 50, y: 100 }] }]));
  const field = pdf.getForm().createTextField('number');
  field.setText('F-2024-77');
  field.addToPage(pdf.getPage(0), { x: 150, y: 842 - 105, width: 120, height: 16 });
  const { pages } = await read(Buffer.from(await pdf.save()));
  expect(lines(pages[0])[0]).toMatch(/^Invoice no\.\s+F-2024-77$/);
});

test('a scan is read by OCR in its own language, with boxes on the page', async () => {
  const { pages } = await read(
    await scannedPdf([
      'Rechnung über die Lieferung von Büromöbeln',
      'Wir danken für Ihren Auftrag und berechnen wie folgt',
      'Rechnungsbetrag 1.234,56 EUR zahlbar bis 31.12.2024',
    ]),
  );
  expect(pages[0]?.source).toBe('ocr');
  expect(pages[0]?.confidence).toBeGreaterThan(0.7);
  expect(lines(pages[0]).join('\n')).toContain('Büromöbeln');
  const amount = pages[0]?.words.find((word) => word.text === '1.234,56');
  // Drawn at y = 340 of 2339 pixels on a sheet of 842 points.
  expect(amount?.y1).toBeGreaterThan(115);
  expect(amount?.y1).toBeLessThan(130);
});

test('a scan that lies on its side is read the right way up', async () => {
  const { pages } = await read(
    await scannedPdf(
      [
        'Invoice number 2024-0815',
        'Amount due within thirty days',
        'Total amount 480.00 USD',
        'Thank you for your order',
      ],
      90,
    ),
  );
  expect(pages[0]).toMatchObject({ source: 'ocr', textAngle: 90, width: 842, height: 595 });
  expect(lines(pages[0])[0]).toBe('Invoice number 2024-0815');
});

test('a garbled text layer gives way to what is printed, and says so', async () => {
  // Codes that map to private characters: what a font without a usable map gives.
  const cmap = Buffer.from(
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <00> <FF> <E000> endbfrange endcmap end',
  );
  const rows = Array.from(
    { length: 6 },
    () => '(Payment is due within thirty days of the invoice date) Tj 0 -30 Td',
  );
  const content = rawStream(Buffer.from(`BT /F1 18 Tf 50 700 Td ${rows.join(' ')} ET`));
  const { pages, codes } = await read(
    rawPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      content,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>',
      rawStream(cmap),
    ]),
  );
  expect(codes).toEqual(['text_layer_garbled']);
  expect(lines(pages[0])[0]).toContain('Payment is due within thirty days');
});

const refusals: readonly [string, () => Promise<Buffer> | Buffer, string][] = [
  ['an empty file', () => Buffer.alloc(0), 'empty_file'],
  ['a text file', () => Buffer.from('just some words\n'), 'not_a_pdf'],
  ['a JPEG', () => Buffer.from('ffd8ffe000104a464946', 'hex'), 'not_a_pdf'],
  ['a header and nothing else', () => Buffer.from('%PDF-1.7\n'), 'corrupt_pdf'],
  ['half a file', async () => (await textPdf([{ texts: [] }])).subarray(0, 300), 'corrupt_pdf'],
  [
    'a PDF without pages',
    () => rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']),
    'no_pages',
  ],
  ['three blank pages', async () => textPdf([{ texts: [] }, { texts: [] }, { texts: [] }]), 'no_text_found'],
  [
    'a file for holders of a certificate',
    () => onePagePdf(rawStream(Buffer.from('BT ET')), '/Encrypt<</Filter/Adobe.PubSec/V 4>>/ID[<00><00>]'),
    'unsupported_encryption',
  ],
  ['a file that unpacks to 200 MB', () => bombPdf(200), 'resource_limit'],
  ['a file that was packed twice', () => bombPdf(400, 2), 'resource_limit'],
];

test.each(refusals)('B41: %s ends with its code of the contract', async (_name, make, code) => {
  await expect(read(await make())).rejects.toMatchObject({ name: 'ReadError', code });
});

test('B40: a PDF over the page limit is refused without reading it', async () => {
  const pages = Array.from({ length: 6 }, () => ({ texts: [{ text: 'x', x: 10, y: 10 }] }));
  await expect(read(await textPdf(pages), 5)).rejects.toMatchObject({ code: 'too_many_pages' });
});

test('a file whose ends are broken is read with a warning', async () => {
  const good = onePagePdf(rawStream(Buffer.from('BT /F1 12 Tf 50 700 Td (Still readable) Tj ET')));
  const junk = await read(Buffer.concat([Buffer.from('junk before the file\n'), good]));
  expect(junk.codes).toEqual(['repaired_pdf']);
  const headless = await read(good.subarray(9));
  expect(headless.codes).toEqual(['repaired_pdf']);
  expect(lines(headless.pages[0])).toEqual(['Still readable']);
});

test('a scan comes with an upright picture of its page where pictures are asked for, text of its own without', async () => {
  const path = join(folder, 'pictures.pdf');
  const pictures = async (bytes: Buffer) => {
    await writeFile(path, bytes);
    const found: string[] = [];
    for await (const event of readDocument(path, 10, true)) {
      if (event.kind === 'page' && event.picture) found.push(event.picture.jpeg);
    }
    return found;
  };
  const [jpeg] = await pictures(
    await scannedPdf(['Invoice number 4711', 'Grand total of this invoice 123.40', 'Thank you'], 90),
  );
  const { format, width, height } = await sharp(Buffer.from(jpeg ?? '', 'base64')).metadata();
  expect(format).toBe('jpeg');
  expect(height).toBe(1_600);
  expect(width).toBeLessThan(height);
  const words = 'This page has text of its own, and enough of it. '.repeat(4);
  expect(await pictures(await textPdf([{ texts: [{ text: words, x: 50, y: 50, size: 6 }] }]))).toEqual([]);
});
