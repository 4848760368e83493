import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useMemo, useState } from 'react';
import type { Mark } from '../marks';
import { usePdfSearch } from './use-pdf-search';

/** The search of a document as its bar and its pages need it; the first match is gone to as soon as it is known. */
export function useSearchBar(document: PDFDocumentProxy) {
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const { matches, looked } = usePdfSearch(document, isOpen ? query : '');
  const current = matches[at];
  const target = useMemo((): Pick<Mark, 'page' | 'box'> | null => {
    return current ? { page: current.page, box: current.boxes[0] ?? null } : null;
  }, [current]);
  const toggle = () => setOpen(!isOpen);
  return {
    isOpen,
    toggle,
    target,
    foundOn: (page: number) =>
      matches
        .filter((match) => match.page === page)
        .flatMap((match) => match.boxes.map((box) => ({ box, isCurrent: match === current }))),
    bar: {
      ...{ query, at, count: matches.length, isDone: looked === document.numPages },
      onQuery: (typed: string) => {
        setQuery(typed);
        setAt(0);
      },
      onStep: (by: 1 | -1) => matches.length > 0 && setAt((at + by + matches.length) % matches.length),
      onClose: toggle,
    },
  };
}
