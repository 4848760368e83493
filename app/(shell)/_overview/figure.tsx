'use client';

import { ArrowDownRight, ArrowUpRight, Equal } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../_ui/cn';
import type { Change } from './change';

interface FigureProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly change?: Change | null;
  /** What the figure was before, for the change's hover. */
  readonly before?: string;
  readonly note?: ReactNode;
  /** It answers the question that was asked. */
  readonly asked?: boolean;
}

/** One figure with what belongs to it in small. */
export function Figure({ label, children, change, before, note, asked }: FigureProps) {
  return (
    <div className={cn('min-w-0', asked && '-mx-2 rounded-md bg-lit px-2')}>
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="mt-0.5 font-semibold text-xl tracking-tight">{children}</dd>
      <dd className="flex min-h-4 flex-wrap items-center gap-x-2 text-muted text-xs">
        {change && <ChangeMark change={change} before={before} />}
        {note}
      </dd>
    </div>
  );
}

const ARROWS = { up: ArrowUpRight, down: ArrowDownRight, same: Equal };

function ChangeMark({ change, before }: { readonly change: Change; readonly before: string | undefined }) {
  const Arrow = ARROWS[change.direction];
  return (
    <span
      className="tabular inline-flex items-center gap-0.5 whitespace-nowrap"
      title={before === undefined ? undefined : `In the period before: ${before}`}
    >
      <Arrow aria-hidden className="size-3" />
      {change.text}
      <span className="sr-only"> against the period before{before !== undefined && `, ${before}`}</span>
    </span>
  );
}
