'use client';

import {
  ChevronDown,
  ChevronUp,
  Download,
  MoveHorizontal,
  RotateCwSquare,
  Search,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../_ui/button';
import { formatPercent } from '../../../../_ui/format/count';

interface PdfToolbarProps {
  readonly page: number;
  readonly pages: number;
  readonly scale: number;
  readonly fitted: boolean;
  readonly downloadUrl: string;
  readonly onPage: (page: number) => void;
  readonly onZoom: (scale: number) => void;
  readonly onFit: () => void;
  readonly onTurn: () => void;
  readonly searching: boolean;
  readonly onSearch: () => void;
}

const STEP = 1.2;
const MIN = 0.2;
const MAX = 5;

export function PdfToolbar(props: PdfToolbarProps) {
  const { page, pages, scale, fitted, downloadUrl, onPage, onZoom, onFit, onTurn } = props;
  const zoom = (factor: number) => onZoom(Math.min(MAX, Math.max(MIN, scale * factor)));
  return (
    <div
      role="toolbar"
      aria-label="Document"
      className="flex items-center gap-0.5 border-line border-b bg-surface px-2 py-1"
    >
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronUp />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Next page"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <ChevronDown />
      </Button>
      <PageInput page={page} pages={pages} onPage={onPage} />
      <span className="grow" />
      <Button variant="ghost" size="icon-sm" aria-label="Zoom out" onClick={() => zoom(1 / STEP)}>
        <ZoomOut />
      </Button>
      <span className="tabular w-12 text-center text-muted text-sm max-sm:hidden">
        {formatPercent(scale)}
      </span>
      <Button variant="ghost" size="icon-sm" aria-label="Zoom in" onClick={() => zoom(STEP)}>
        <ZoomIn />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Fit to width"
        aria-pressed={fitted}
        className={fitted ? 'bg-accent-soft' : undefined}
        onClick={onFit}
      >
        <MoveHorizontal />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Turn clockwise"
        title="Turn clockwise"
        onClick={onTurn}
      >
        <RotateCwSquare />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Find in the document"
        title="Find in the document"
        aria-pressed={props.searching}
        className={props.searching ? 'bg-accent-soft' : undefined}
        onClick={props.onSearch}
      >
        <Search />
      </Button>
      <Button asChild variant="ghost" size="icon-sm" aria-label="Download the document">
        <a href={downloadUrl} download>
          <Download />
        </a>
      </Button>
    </div>
  );
}

interface PageInputProps {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

function PageInput({ page, pages, onPage }: PageInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const wanted = Number(typed);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onPage(wanted);
    setTyped(null);
  };
  return (
    <form
      className="tabular flex items-center gap-1.5 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <input
        aria-label="Page"
        inputMode="numeric"
        value={typed ?? String(page)}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={go}
        className="h-7 w-11 rounded-md border border-line-strong/60 bg-surface text-center"
      />
      <span className="whitespace-nowrap text-muted">of {pages}</span>
    </form>
  );
}
