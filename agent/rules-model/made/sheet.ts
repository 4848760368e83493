import { PDFDocument, type PDFFont, StandardFonts } from 'pdf-lib';
import { layoutPage, renderLines } from '../../layout';
import type { PageText, Word } from '../../reader/page';

export interface Fonts {
  readonly regular: PDFFont;
  readonly bold: PDFFont;
}

/** The metrics of the standard fonts: words of made pages get the boxes that they would have in print. */
export async function loadFonts(): Promise<Fonts> {
  const pdf = await PDFDocument.create();
  return {
    regular: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
}

interface Style {
  readonly size?: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
}

/** Pages under a pen: text is set at points from the top left, as words with boxes. */
export class Sheet {
  private readonly pages: Word[][] = [[]];

  constructor(private readonly fonts: Fonts) {}

  nextPage(): void {
    this.pages.push([]);
  }

  text(x: number, y: number, text: string, { size = 10, bold = false, align = 'left' }: Style = {}): void {
    const font = bold ? this.fonts.bold : this.fonts.regular;
    // The standard fonts know no narrow space; its width is that of a thin one.
    const width = (part: string) =>
      font.widthOfTextAtSize(part.replace(/[^\x20-\x7e\xa0-\xff€]/g, ' '), size);
    const shift = align === 'right' ? width(text) : align === 'center' ? width(text) / 2 : 0;
    let at = x - shift;
    for (const part of text.split(/( )/)) {
      const advance = width(part);
      if (part !== '' && part !== ' ') {
        this.pages
          .at(-1)
          ?.push({ text: part, x0: at, x1: at + advance, y0: y - size * 0.72, y1: y + size * 0.2 });
      }
      at += advance;
    }
  }

  /** The pages as the model is shown them. */
  render(): string {
    return this.pages
      .map((words, index) => {
        const page: PageText = {
          page: index + 1,
          width: 595,
          height: 842,
          textAngle: 0,
          skew: 0,
          source: 'text',
          confidence: 1,
          words,
        };
        return renderLines(page.page, layoutPage(page), this.pages.length);
      })
      .join('\n');
  }
}
