import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import type { Box } from '@/lib/contract/result';
import { type FoldedPage, findInPage, foldPage, type TextPiece } from './find-text';

export interface Match {
  readonly page: number;
  readonly boxes: readonly Box[];
}

export interface PdfSearch {
  readonly matches: readonly Match[];
  /** Pages that were looked through so far; all of them once it is over. */
  readonly looked: number;
}

const NOTHING: PdfSearch = { matches: [], looked: 0 };
const TYPING_PAUSE_MS = 200;
/** Beyond it nobody steps from one to the next. */
const MOST = 2_000;

/** Looks through a document page by page; what is found shows at once. An empty query finds nothing. */
export function usePdfSearch(document: PDFDocumentProxy, query: string): PdfSearch {
  const [search, setSearch] = useState<PdfSearch>(NOTHING);
  const texts = useRef(new Map<number, Promise<FoldedPage>>());
  useEffect(() => {
    setSearch(NOTHING);
    if (query.trim() === '') return;
    let gone = false;
    const textOf = (number: number) => {
      const known = texts.current.get(number) ?? readPage(document, number);
      texts.current.set(number, known);
      return known;
    };
    const look = async () => {
      const matches: Match[] = [];
      for (let page = 1; page <= document.numPages && matches.length < MOST; page += 1) {
        const found = findInPage(await textOf(page), query);
        if (gone) return;
        matches.push(...found.map((boxes) => ({ page, boxes })));
        if (found.length > 0 || page === document.numPages || page % 20 === 0) {
          setSearch({ matches: [...matches], looked: page });
        }
      }
    };
    const timer = setTimeout(() => void look(), TYPING_PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [document, query]);
  return search;
}

/** A page that cannot be read has no text. */
async function readPage(document: PDFDocumentProxy, number: number): Promise<FoldedPage> {
  try {
    const { Util } = await import('pdfjs-dist');
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const pieces = items.flatMap((item): TextPiece[] => {
      if (!('str' in item)) return [];
      const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = Util.transform(viewport.transform, item.transform);
      return [
        {
          ...{ text: item.str, endsLine: item.hasEOL, x, y, width: item.width },
          ...{ height: Math.hypot(c, d), angle: Math.atan2(b, a) },
        },
      ];
    });
    return foldPage(pieces);
  } catch {
    return foldPage([]);
  }
}
