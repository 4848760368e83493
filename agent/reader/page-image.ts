import type { PDFiumDocument, PDFiumLibrary, PDFiumPage } from '@hyzyla/pdfium';

/** A page as grey pixels; `scale` is pixels per PDF point. */
export interface PageImage {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** What else than text stands on a page. */
export interface PageContent {
  readonly hasImage: boolean;
  readonly isEmpty: boolean;
}

/** Measured on scans of 150 to 300 dpi: from 200 to 250 the recogniser reads best, at 300 it loses umlauts and time. */
const DPI = 240;
/** A4 at 240 dpi has 5.6 megapixels; sheets beyond A3 are drawn coarser. */
const MAX_PIXELS = 12_000_000;
/** pdfium's binding never frees a page, so the document is opened anew after so many. */
const PAGES_PER_OPENING = 16;

/** Whether a drawn page is one shade all over: nothing to read. */
export function isBlank({ pixels }: PageImage): boolean {
  let darkest = 255;
  let lightest = 0;
  for (const shade of pixels) {
    if (shade < darkest) darkest = shade;
    if (shade > lightest) lightest = shade;
  }
  return lightest - darkest < 16;
}

/** Draws pages with pdfium (WebAssembly: a fault in it cannot reach beyond its own memory). */
export class PageImages {
  private library: PDFiumLibrary | null = null;
  private document: PDFiumDocument | null = null;
  private used = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** @param page number from 1 */
  async draw(page: number): Promise<PageImage> {
    const drawn = await this.page(page);
    const { originalWidth, originalHeight } = drawn.getOriginalSize();
    const area = Math.max(1, originalWidth * originalHeight);
    const scale = Math.min(DPI / 72, Math.sqrt(MAX_PIXELS / area));
    const { data, width, height } = await drawn.render({ scale, render: 'bitmap', colorSpace: 'Gray' });
    return { pixels: data, width, height, scale };
  }

  async content(page: number): Promise<PageContent> {
    const objects = (await this.page(page)).objects();
    let count = 0;
    for (const object of objects) {
      count += 1;
      // A form may hold an image; it is taken for one rather than looked into.
      if (object.type === 'image' || object.type === 'form') return { hasImage: true, isEmpty: false };
      if (count > 2_000) break;
    }
    return { hasImage: false, isEmpty: count === 0 };
  }

  close(): void {
    this.document?.destroy();
    this.library?.destroy();
    this.document = null;
    this.library = null;
  }

  private async page(number: number): Promise<PDFiumPage> {
    if (this.library === null) {
      const { PDFiumLibrary } = await import('@hyzyla/pdfium');
      this.library = await PDFiumLibrary.init();
    }
    if (this.document !== null && this.used >= PAGES_PER_OPENING) {
      this.document.destroy();
      this.document = null;
      this.used = 0;
    }
    this.document ??= await this.library.loadDocument(this.bytes);
    this.used += 1;
    return this.document.getPage(number - 1);
  }
}
