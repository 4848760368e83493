'use client';

import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import type { Box } from '@/lib/contract/result';
import { cn } from '../../../../_ui/cn';
import type { Mark } from '../marks';
import { type Turns, turnSize, turnTransform } from './page-layout';
import type { PageSize } from './use-pdf-document';

/** A larger canvas would be refused by some browsers; above it the page is a little softer. */
const MAX_PIXELS = 16_000_000;

export interface MarkHandlers {
  readonly activeKey: string | null;
  readonly hoverKey: string | null;
  readonly onHover: (key: string | null) => void;
  readonly onSelect: (key: string) => void;
}

interface PdfPageProps extends MarkHandlers {
  readonly document: PDFDocumentProxy;
  readonly number: number;
  readonly scale: number;
  /** Upright. */
  readonly size: PageSize;
  readonly turns: Turns;
  /** Where what is searched for stands. */
  readonly found: readonly { readonly box: Box; readonly isCurrent: boolean }[];
  readonly marks: readonly Mark[];
  readonly onSize: (number: number, size: PageSize) => void;
}

/** One page: drawn, with selectable text above it and the marked places above that. */
export function PdfPage(props: PdfPageProps) {
  const { document, number, scale, size, turns, marks, found, onSize, ...handlers } = props;
  const page = usePage(document, number, onSize);
  const canvasHost = useRef<HTMLDivElement>(null);
  const textHost = useRef<HTMLDivElement>(null);
  useDrawing(page, scale, canvasHost);
  useTextLayer(page, scale, textHost);
  const upright = { width: size.width * scale, height: size.height * scale };
  const style = {
    ...upright,
    transform: turnTransform(upright, turns),
    '--total-scale-factor': scale,
    '--scale-round-x': '1px',
    '--scale-round-y': '1px',
  } as CSSProperties;
  return (
    <section
      aria-label={`Page ${number}`}
      className="relative mx-auto bg-white shadow-[0_0_0_1px_var(--line)]"
      style={turnSize(upright, turns)}
    >
      <div className="absolute top-0 left-0 origin-top-left" style={style}>
        <div ref={canvasHost} aria-hidden className="absolute inset-0 [&>canvas]:size-full" />
        <div ref={textHost} className="textLayer" />
        {marks.map((mark) => (
          <MarkBox key={mark.key} mark={mark} scale={scale} {...handlers} />
        ))}
        {found.map(({ box, isCurrent }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have nothing else that tells them apart
          <FoundBox key={index} box={box} scale={scale} isCurrent={isCurrent} />
        ))}
      </div>
    </section>
  );
}

function usePage(
  document: PDFDocumentProxy,
  number: number,
  onSize: PdfPageProps['onSize'],
): PDFPageProxy | null {
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  useEffect(() => {
    let gone = false;
    document
      .getPage(number)
      .then((found) => {
        if (gone) return;
        const { width, height } = found.getViewport({ scale: 1 });
        onSize(number, { width, height });
        setPage(found);
      })
      .catch(() => {
        // The document was closed meanwhile, or this page is beyond repair: it stays blank.
      });
    return () => {
      gone = true;
    };
  }, [document, number, onSize]);
  return page;
}

type Host = { readonly current: HTMLDivElement | null };

/** Draws on a new canvas and swaps it in when done: while zooming, the old one is stretched and nothing flickers. */
function useDrawing(page: PDFPageProxy | null, scale: number, host: Host) {
  useEffect(() => {
    if (!page) return;
    const wanted = scale * window.devicePixelRatio;
    const plain = page.getViewport({ scale: 1 });
    const density = Math.min(wanted, Math.sqrt(MAX_PIXELS / (plain.width * plain.height)));
    const viewport = page.getViewport({ scale: density });
    const canvas = window.document.createElement('canvas');
    canvas.width = Math.max(1, Math.floor(viewport.width));
    canvas.height = Math.max(1, Math.floor(viewport.height));
    const task = page.render({ canvas, viewport });
    task.promise
      .then(() => host.current?.replaceChildren(canvas))
      .catch(() => {
        // Cancelled by a newer drawing.
      });
    return () => task.cancel();
  }, [page, scale, host]);
}

/** Sizes of the layer follow `--total-scale-factor`, so it is made once per page. */
function useTextLayer(page: PDFPageProxy | null, scale: number, host: Host) {
  const firstScale = useRef(scale);
  useEffect(() => {
    const container = host.current;
    if (!page || !container) return;
    let cancel = () => {};
    let gone = false;
    import('pdfjs-dist')
      .then(({ TextLayer }) => {
        if (gone) return;
        container.replaceChildren();
        const layer = new TextLayer({
          textContentSource: page.streamTextContent(),
          container,
          viewport: page.getViewport({ scale: firstScale.current }),
        });
        cancel = () => layer.cancel();
        return layer.render();
      })
      .catch(() => {
        // Cancelled, or a page without usable text: it can be read but not selected.
      });
    return () => {
      gone = true;
      cancel();
    };
  }, [page, host]);
}

interface FoundBoxProps {
  readonly box: Box;
  readonly scale: number;
  readonly isCurrent: boolean;
}

function FoundBox({ box: [x0, y0, x1, y1], scale, isCurrent }: FoundBoxProps) {
  return (
    <span
      aria-hidden
      data-found={isCurrent ? 'current' : ''}
      className={cn(
        'pointer-events-none absolute rounded-sm bg-highlight mix-blend-multiply',
        isCurrent && 'outline-2 outline-[oklch(0.6_0.13_75)]',
      )}
      style={{
        ...{ left: x0 * scale, top: y0 * scale },
        ...{ width: (x1 - x0) * scale, height: (y1 - y0) * scale },
      }}
    />
  );
}

interface MarkBoxProps extends MarkHandlers {
  readonly mark: Mark;
  readonly scale: number;
}

/** Room around a box, in CSS pixels, so that its border does not cut the text. */
const MARGIN = 3;

/** Where a field stands. For the pointer only: by keyboard the same is reached from the list of fields. */
function MarkBox({ mark, scale, activeKey, hoverKey, onHover, onSelect }: MarkBoxProps) {
  if (!mark.box) return null;
  const [x0, y0, x1, y1] = mark.box;
  const active = mark.key === activeKey;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      title={mark.label}
      data-mark={mark.key}
      data-active={active || undefined}
      onPointerEnter={() => onHover(mark.key)}
      onPointerLeave={() => onHover(null)}
      onClick={() => onSelect(mark.key)}
      className={cn(
        'absolute z-10 rounded-sm border mix-blend-multiply transition-colors',
        active
          ? 'border-2 border-[oklch(0.6_0.13_75)] bg-highlight'
          : mark.key === hoverKey
            ? 'border-[oklch(0.6_0.13_75)] bg-highlight'
            : 'border-[oklch(0.6_0.09_158/0.55)] hover:bg-highlight',
      )}
      style={{
        left: x0 * scale - MARGIN,
        top: y0 * scale - MARGIN,
        width: (x1 - x0) * scale + 2 * MARGIN,
        height: (y1 - y0) * scale + 2 * MARGIN,
      }}
    />
  );
}
