'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ScrollRegion } from '../../../../_ui/scroll-region';
import { useFrameSize } from '../../../../_ui/use-frame-size';
import type { Mark } from '../marks';
import { fitScale, GAP, pageTop, type Turns, turnBox, turnSize } from './page-layout';
import { type MarkHandlers, PdfPage } from './pdf-page';
import { PdfSearchBar } from './pdf-search-bar';
import { PdfToolbar } from './pdf-toolbar';
import type { PageSize } from './use-pdf-document';
import { useSearchBar } from './use-search-bar';

/** Somewhere to go to. */
type Place = Pick<Mark, 'page' | 'box'>;

interface PdfPagesProps extends MarkHandlers {
  readonly document: PDFDocumentProxy;
  readonly firstPage: PageSize;
  readonly url: string;
  readonly marks: readonly Mark[];
  /** Where to scroll to; a new object scrolls again, also to the same place. */
  readonly target: { readonly mark: Mark } | null;
}

/** The pages of an open document, only those in view drawn, and the way through them. */
export function PdfPages({ document, firstPage, url, marks, target, ...handlers }: PdfPagesProps) {
  const frame = useRef<HTMLElement>(null);
  const { width: frameWidth, height: frameHeight } = useFrameSize(frame);
  const [zoom, setZoom] = useState<number | null>(null);
  const [turns, setTurns] = useState<Turns>(0);
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map());
  const search = useSearchBar(document);
  const uprightOf = (number: number) => sizes.get(number) ?? firstPage;
  const sizeOf = (number: number) => turnSize(uprightOf(number), turns);
  const scale = zoom ?? fitScale(frameWidth, turnSize(firstPage, turns));

  const onSize = useCallback((number: number, size: PageSize) => {
    setSizes((known) => {
      const old = known.get(number);
      if (old && old.width === size.width && old.height === size.height) return known;
      return new Map(known).set(number, size);
    });
  }, []);
  const virtual = useVirtualizer({
    count: frameWidth > 0 ? document.numPages : 0,
    getScrollElement: () => frame.current,
    estimateSize: (index) => sizeOf(index + 1).height * scale,
    gap: GAP,
    paddingStart: GAP,
    paddingEnd: GAP,
    overscan: 1,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes, turns and scale are what the estimates depend on
  useLayoutEffect(() => virtual.measure(), [virtual, sizes, turns, scale]);
  useKeptPlace(frame, scale);
  const placeOf = ({ page, box }: Place) => {
    const [x0, y0, x1] = box ? turnBox(box, uprightOf(page), turns) : [0, 0, 0];
    return { top: pageTop(page, sizeOf, scale) + y0 * scale, left: (x0 + x1) * 0.5 * scale };
  };
  useScrollToTarget(frame, target?.mark ?? null, frameHeight, placeOf);
  useScrollToTarget(frame, search.target, frameHeight, placeOf);

  const items = virtual.getVirtualItems();
  const middle = (virtual.scrollOffset ?? 0) + frameHeight * 0.35;
  const current = (items.find((item) => item.end >= middle)?.index ?? 0) + 1;
  const goTo = (number: number) =>
    frame.current?.scrollTo({ top: pageTop(number, sizeOf, scale) - GAP, behavior: 'instant' });
  const widest = Math.max(...items.map((item) => sizeOf(item.index + 1).width * scale), 0);
  return (
    <>
      <PdfToolbar
        page={current}
        pages={document.numPages}
        scale={scale}
        fitted={zoom === null}
        downloadUrl={url}
        onPage={goTo}
        onZoom={setZoom}
        onFit={() => setZoom(null)}
        onTurn={() => setTurns(((turns + 1) % 4) as Turns)}
        searching={search.isOpen}
        onSearch={search.toggle}
      />
      {search.isOpen && <PdfSearchBar {...search.bar} />}
      <ScrollRegion
        ref={frame}
        label="Pages"
        className="min-h-0 grow overflow-auto bg-sunken focus-visible:-outline-offset-2"
      >
        <div
          className="relative"
          style={{
            height: virtual.getTotalSize(),
            minWidth: widest > frameWidth ? widest + 2 * GAP : undefined,
          }}
        >
          {items.map((item) => (
            <div
              key={item.key}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <PdfPage
                document={document}
                number={item.index + 1}
                scale={scale}
                size={uprightOf(item.index + 1)}
                turns={turns}
                marks={marks.filter((mark) => mark.page === item.index + 1)}
                found={search.foundOn(item.index + 1)}
                onSize={onSize}
                {...handlers}
              />
            </div>
          ))}
        </div>
      </ScrollRegion>
    </>
  );
}

/** Zooming keeps what was at the top at the top. */
function useKeptPlace(frame: RefObject<HTMLElement | null>, scale: number) {
  const last = useRef(scale);
  useLayoutEffect(() => {
    const element = frame.current;
    const factor = scale / last.current;
    last.current = scale;
    if (element && Number.isFinite(factor) && factor !== 1) element.scrollTop *= factor;
  }, [frame, scale]);
}

/** How long a target is corrected for while pages before it turn out to be of other sizes. */
const SETTLE_MS = 1_500;

function useScrollToTarget(
  frame: RefObject<HTMLElement | null>,
  target: Place | null,
  frameHeight: number,
  placeOf: (place: Place) => { top: number; left: number },
) {
  const done = useRef<{ target: Place; top: number; at: number } | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element || !target || frameHeight === 0) return;
    const place = placeOf(target);
    const top = Math.max(0, place.top - frameHeight * 0.35);
    const before = done.current;
    if (before?.target === target) {
      if (before.top === top || performance.now() - before.at > SETTLE_MS) return;
      element.scrollTo({ top, behavior: 'instant' });
      done.current = { ...before, top };
      return;
    }
    const near = Math.abs(element.scrollTop - top) < frameHeight * 2;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({
      top,
      left: Math.max(0, place.left - element.clientWidth / 2),
      behavior: near && !still ? 'smooth' : 'instant',
    });
    done.current = { target, top, at: performance.now() };
  });
}
