import { deflateSync } from 'node:zlib';
import { degrees, PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';

/** Text on a page of a made PDF; points, origin top left. */
export interface TextAt {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
}

export interface PageSpec {
  readonly texts: readonly TextAt[];
  readonly size?: [number, number];
  /** /Rotate of the page. */
  readonly rotate?: number;
}

const A4: [number, number] = [595, 842];

/** A PDF with a text layer. */
export async function textPdf(pages: readonly PageSpec[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const { texts, size = A4, rotate = 0 } of pages) {
    const page = pdf.addPage(size);
    page.setRotation(degrees(rotate));
    for (const { text, x, y, size: fontSize = 11 } of texts) {
      page.drawText(text, { x, y: size[1] - y, size: fontSize, font });
    }
  }
  return Buffer.from(await pdf.save());
}

/** A page that is only a picture of these lines, turned clockwise by `turn`: what a scanner makes. */
export async function scannedPdf(lines: readonly string[], turn: 0 | 90 | 180 | 270 = 0): Promise<Buffer> {
  const rows = lines.map((line, index) => `<text x="120" y="${200 + index * 70}">${escapeXml(line)}</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1654" height="2339"><rect width="100%" height="100%" fill="white"/><g font-family="sans-serif" font-size="36">${rows.join('')}</g></svg>`;
  const picture = await sharp(Buffer.from(svg)).rotate(turn).jpeg({ quality: 85 }).toBuffer();
  const pdf = await PDFDocument.create();
  const size: [number, number] = turn % 180 === 0 ? [595, 842] : [842, 595];
  const page = pdf.addPage(size);
  page.drawImage(await pdf.embedJpg(picture), { x: 0, y: 0, width: size[0], height: size[1] });
  return Buffer.from(await pdf.save());
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A PDF out of raw objects, numbered from 1; object 1 is the catalogue. For files that no library would write. */
export function rawPdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = 9;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${length}\n%%EOF`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

/** A stream object. */
export function rawStream(data: Buffer, dictionary = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`<</Length ${data.length}${dictionary}>>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

/** One page whose content is the given stream object; font `/F1` is Helvetica. */
export function onePagePdf(content: Buffer, trailer = ''): Buffer {
  return rawPdf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      content,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ],
    trailer,
  );
}

/** A small file that unpacks to `megabytes` of spaces when deflated `times` times on top of itself. */
export function bombPdf(megabytes: number, times: 1 | 2 = 1): Buffer {
  let data = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, ' '), { level: 9 });
  if (times === 2) data = deflateSync(data, { level: 9 });
  const filter = times === 2 ? '[/FlateDecode/FlateDecode]' : '/FlateDecode';
  return onePagePdf(rawStream(data, `/Filter${filter}`));
}
