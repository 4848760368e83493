import { type Color, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';

export const INK = rgb(0.12, 0.12, 0.12);
export const GREY = rgb(0.42, 0.42, 0.42);
export const RULE = rgb(0.8, 0.8, 0.8);

export const A4: [number, number] = [595.28, 841.89];
export const MARGIN = 56;

interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  readonly color?: Color;
  /** `x` is then the right edge. */
  readonly right?: boolean;
}

/** One page that is written on from the top: y counts downwards, in points. */
export interface Sheet {
  readonly page: PDFPage;
  text(text: string, x: number, y: number, style?: TextStyle): void;
  rule(y: number, from?: number, to?: number): void;
  /** Wraps at `width`; returns the y below the last line. */
  paragraph(text: string, x: number, y: number, width: number, style?: TextStyle): number;
}

/** A document with fixed dates and ids, so that the same source gives the same bytes. */
export async function newDocument(title: string): Promise<{ pdf: PDFDocument; addSheet: () => Sheet }> {
  const pdf = await PDFDocument.create();
  const made = new Date('2026-01-01T00:00:00Z');
  pdf.setTitle(title);
  pdf.setProducer('Tickmark samples');
  pdf.setCreator('Tickmark samples');
  pdf.setCreationDate(made);
  pdf.setModificationDate(made);
  const regular = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  return { pdf, addSheet: () => makeSheet(pdf.addPage(A4), regular, bold) };
}

function makeSheet(page: PDFPage, regular: PDFFont, bold: PDFFont): Sheet {
  const height = page.getHeight();
  const fontOf = (style: TextStyle) => (style.bold ? bold : regular);
  const text = (value: string, x: number, y: number, style: TextStyle = {}) => {
    const font = fontOf(style);
    const size = style.size ?? 9.5;
    const left = style.right ? x - font.widthOfTextAtSize(value, size) : x;
    page.drawText(value, { x: left, y: height - y, size, font, color: style.color ?? INK });
  };
  return {
    page,
    text,
    rule(y, from = MARGIN, to = page.getWidth() - MARGIN) {
      page.drawLine({
        start: { x: from, y: height - y },
        end: { x: to, y: height - y },
        thickness: 0.6,
        color: RULE,
      });
    },
    paragraph(value, x, y, width, style = {}) {
      const size = style.size ?? 9.5;
      let line = '';
      let top = y;
      for (const word of value.split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (fontOf(style).widthOfTextAtSize(longer, size) > width && line !== '') {
          text(line, x, top, style);
          top += size * 1.5;
          line = word;
        } else line = longer;
      }
      text(line, x, top, style);
      return top + size * 1.5;
    },
  };
}
