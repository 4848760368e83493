'use client';

import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { Button } from '../../../../_ui/button';
import { formatCount } from '../../../../_ui/format/count';
import { Input } from '../../../../_ui/input';

interface PdfSearchBarProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Which of them is shown, from 0. */
  readonly at: number;
  readonly count: number;
  readonly isDone: boolean;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

/** Looks for a text in the document: Enter goes to the next, Shift Enter back, Escape closes. */
export function PdfSearchBar({ query, onQuery, at, count, isDone, onStep, onClose }: PdfSearchBarProps) {
  return (
    <search className="flex items-center gap-1 border-line border-b bg-surface px-2 py-1">
      <Input
        type="search"
        aria-label="Find in the document"
        placeholder="Find in the document"
        className="h-7 min-w-0 grow"
        autoFocus
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
        }}
      />
      <span role="status" className="tabular shrink-0 whitespace-nowrap px-1 text-muted text-sm">
        {words(query, at, count, isDone)}
      </span>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Match before"
        disabled={count === 0}
        onClick={() => onStep(-1)}
      >
        <ChevronUp />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Next match"
        disabled={count === 0}
        onClick={() => onStep(1)}
      >
        <ChevronDown />
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label="Close the search" onClick={onClose}>
        <X />
      </Button>
    </search>
  );
}

function words(query: string, at: number, count: number, isDone: boolean): string {
  if (query.trim() === '') return '';
  if (count === 0) return isDone ? 'not found' : 'looking';
  return `${formatCount(at + 1)} of ${formatCount(count)}${isDone ? '' : ' so far'}`;
}
