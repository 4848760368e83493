import type { PageViewport, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type DirectedWord, wordsOfRun } from './words';

/** What of an annotation counts here; pdf.js leaves them untyped. */
interface Annotation {
  readonly subtype?: string;
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly contentsObj?: { readonly str?: string };
  readonly rect?: readonly number[];
  readonly hidden?: boolean;
  readonly noView?: boolean;
  readonly password?: boolean;
}

const MAX_FONT_SIZE = 10;

/** Words that were filled into a form or typed onto the page: they are seen there but are not part of its text. */
export async function formWords(page: PDFPageProxy, viewport: PageViewport): Promise<DirectedWord[]> {
  const annotations: Annotation[] = await page.getAnnotations();
  return annotations.filter(isShown).flatMap((annotation) => {
    const text = shownText(annotation);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = annotation.rect ?? [];
    const lines = text.split(/\r\n?|\n/);
    const step = (y1 - y0) / lines.length;
    const size = Math.max(1, Math.min(MAX_FONT_SIZE, step * 0.8));
    return lines.flatMap((line, index) =>
      wordsOfRun(
        {
          str: line,
          transform: [size, 0, 0, size, x0 + 2, y1 - step * (index + 0.5) - size * 0.3],
          width: Math.min(x1 - x0, line.length * size * 0.5),
          ascent: 0.8,
          descent: -0.2,
        },
        viewport.transform as number[],
      ),
    );
  });
}

function isShown({ hidden, noView, rect, password }: Annotation): boolean {
  return !hidden && !noView && !password && rect?.length === 4;
}

function shownText({ subtype, fieldType, fieldValue, contentsObj }: Annotation): string {
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  if (subtype !== 'Widget' || (fieldType !== 'Tx' && fieldType !== 'Ch')) return '';
  const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === 'string').join(' ');
}
