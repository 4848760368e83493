import type { PagePicture } from './reader/page-picture';

/** Of one call: Model Serving takes 16 MB in all (20 pictures of a full page are some 6 MB), and each picture costs tokens. */
const MAX_PICTURES = 20;
const MAX_BYTES = 10_000_000;

/** One call's part of the document. */
export interface Part {
  readonly text: string;
  /** The page that its text begins with. */
  readonly firstPage: number;
  readonly pictures: readonly PagePicture[];
}

/**
 * The parts of a document with the pictures of their pages. A page on which nothing was recognised has no text: its
 * picture goes with the text before it, and a document without any text is one part all the same.
 */
export function withPictures(
  windows: readonly { readonly text: string; readonly firstPage: number }[],
  pictures: readonly PagePicture[],
): Part[] {
  const all = windows.length > 0 || pictures.length === 0 ? windows : [{ text: '', firstPage: 1 }];
  return all.map((window, index) => {
    const from = index === 0 ? 1 : window.firstPage;
    const next = all[index + 1]?.firstPage ?? Number.POSITIVE_INFINITY;
    // A page that is cut in two is shown to both.
    const shown = pictures.filter(({ page }) => page >= from && page < Math.max(next, from + 1));
    return { ...window, pictures: atMost(shown) };
  });
}

/** As many of the first as a call may hold. */
export function atMost(pictures: readonly PagePicture[]): PagePicture[] {
  let bytes = 0;
  return pictures.slice(0, MAX_PICTURES).filter(({ jpeg }) => {
    bytes += jpeg.length;
    return bytes <= MAX_BYTES;
  });
}
