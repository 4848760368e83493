import { readFile } from 'node:fs/promises';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Warning } from '@/lib/contract/result';
import { type EmbeddedInvoice, embeddedInvoice } from './embedded-xml';
import { isGarbled } from './garbled';
import { openPdf } from './open-pdf';
import type { PageText } from './page';
import { isBlank, type PageImage, PageImages } from './page-image';
import { type PagePicture, pictureOf } from './page-picture';
import { pageText } from './page-text';
import { ReadError } from './read-error';
import { Recogniser } from './recogniser';

/** What reading a document tells, in this order: opened, one page after the other, done. */
export type ReadEvent =
  | { readonly kind: 'opened'; readonly pageCount: number }
  | {
      readonly kind: 'page';
      readonly page: PageText;
      /** What the page looks like, where its text had to be recognised and pictures were asked for. */
      readonly picture?: PagePicture;
    }
  | {
      readonly kind: 'done';
      readonly warnings: readonly Warning[];
      readonly embedded: EmbeddedInvoice | null;
    };

/** Pages with less text than this may be scans with a stamp or a page number on top. */
const SPARSE_CHARS = 100;

/**
 * Reads a PDF page by page: its text layer, or where there is none or it is garbage, what can be seen on it.
 * @param path the file
 * @param withPictures of pages without text of their own; then one on which nothing is recognised is no failure
 * @throws ReadError with the code that the document fails with
 */
export async function* readDocument(
  path: string,
  maxPages: number,
  withPictures = false,
): AsyncGenerator<ReadEvent> {
  const bytes = await readFile(path);
  const { pdf, warnings, close } = await openPdf(bytes, maxPages);
  const reading = new Reading(pdf, new PageImages(bytes));
  let pictured = false;
  try {
    yield { kind: 'opened', pageCount: pdf.numPages };
    for (let number = 1; number <= pdf.numPages; number++) {
      const { page, image } = await reading.page(number);
      const picture = image && withPictures ? await pictureOf(number, image, page.textAngle) : undefined;
      if (picture) pictured = true;
      yield { kind: 'page', page, picture };
    }
    if (!reading.foundText && !pictured)
      throw reading.damaged ? new ReadError('corrupt_pdf') : new ReadError('no_text_found');
    yield {
      kind: 'done',
      warnings: [...warnings, ...reading.warnings()],
      embedded: await embeddedInvoice(pdf),
    };
  } finally {
    await reading.close();
    await close();
  }
}

/** A page and, where its text was recognised, what it was recognised from. */
interface ReadPage {
  readonly page: PageText;
  readonly image: PageImage | null;
}

/** The state of reading one document. */
class Reading {
  foundText = false;
  private readonly garbled: number[] = [];
  private readonly unreadable: number[] = [];
  private sample = '';
  private readonly recogniser = new Recogniser();

  constructor(
    private readonly pdf: PDFDocumentProxy,
    private readonly images: PageImages,
  ) {}

  get damaged(): boolean {
    return this.unreadable.length > 0;
  }

  async page(number: number): Promise<ReadPage> {
    const layer = await this.textLayer(number);
    const { page, image } = await this.withRecognition(layer);
    if (page.words.length > 0) this.foundText = true;
    if (page.source === 'text' && this.sample.length < 2_000) {
      this.sample += ` ${page.words.map((word) => word.text).join(' ')}`;
    }
    return { page, image };
  }

  warnings(): Warning[] {
    const warnings: Warning[] = [];
    if (this.garbled.length > 0) {
      warnings.push({
        code: 'text_layer_garbled',
        message: `The text stored in the PDF is unreadable on ${pageList(this.garbled)}; what is printed there was read instead.`,
      });
    }
    if (this.unreadable.length > 0) {
      warnings.push({
        code: 'repaired_pdf',
        message: `${capital(pageList(this.unreadable))} could not be read and was left out.`,
      });
    }
    return warnings;
  }

  async close(): Promise<void> {
    this.images.close();
    await this.recogniser.close();
  }

  /** One broken page must not cost the others. */
  private async textLayer(number: number): Promise<PageText> {
    try {
      const page = await this.pdf.getPage(number);
      try {
        return await pageText(page);
      } finally {
        page.cleanup();
      }
    } catch {
      this.unreadable.push(number);
      return {
        page: number,
        width: 595,
        height: 842,
        source: 'text',
        confidence: 1,
        textAngle: 0,
        skew: 0,
        words: [],
      };
    }
  }

  private async withRecognition(layer: PageText): Promise<ReadPage> {
    const garbled = isGarbled(layer.words);
    const asItIs: ReadPage = { page: layer, image: null };
    if (!garbled && charCount(layer) >= SPARSE_CHARS) return asItIs;
    let seen: PageText;
    let image: PageImage;
    try {
      const { hasImage, isEmpty } = await this.images.content(layer.page);
      if (!garbled && (isEmpty || (!hasImage && layer.words.length > 0))) return asItIs;
      image = await this.images.draw(layer.page);
      if (isBlank(image)) return asItIs;
      seen = await this.recogniser.read(image, { ...layer, number: layer.page }, this.sample);
    } catch (error) {
      // A page that cannot be drawn keeps the text it has; one without text is told to the reader of the result.
      if (layer.words.length === 0 && !this.unreadable.includes(layer.page)) this.unreadable.push(layer.page);
      if (error instanceof ReadError) throw error;
      return asItIs;
    }
    if (garbled && charCount(seen) * 3 > charCount(layer)) {
      this.garbled.push(layer.page);
      return { page: seen, image };
    }
    return { page: charCount(seen) > 2 * charCount(layer) ? seen : layer, image };
  }
}

function charCount(page: PageText): number {
  return page.words.reduce((sum, word) => sum + word.text.length, 0);
}

function pageList(pages: readonly number[]): string {
  const shown = pages.slice(0, 20).join(', ');
  return `${pages.length === 1 ? 'page' : 'pages'} ${shown}${pages.length > 20 ? ' and others' : ''}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
