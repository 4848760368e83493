import { TriangleAlert } from 'lucide-react';
import { cn } from './cn';
import { type ConfidenceLevel, confidenceLevel, LEVEL_WORDS } from './confidence-level';
import { formatPercent } from './format/count';
import { Unknown } from './unknown';

interface ConfidenceBarProps {
  /** Between 0 and 1. */
  readonly value: number | null;
  readonly why?: string;
  readonly className?: string;
}

const FILL: Record<ConfidenceLevel, string> = {
  high: 'bg-completed',
  middling: 'bg-text/60',
  low: 'bg-failed',
};

/** A confidence as a small bar with its number; what is low has a sign and a word of its own besides its colour. */
export function ConfidenceBar({ value, why = 'The agent gave none', className }: ConfidenceBarProps) {
  if (value === null) return <Unknown why={why} />;
  const level = confidenceLevel(value);
  const { name, check } = LEVEL_WORDS[level];
  return (
    <span
      className={cn('inline-flex items-center gap-1 whitespace-nowrap align-middle', className)}
      title={`Confidence ${value.toFixed(3)}, ${name}. ${check}`}
    >
      <span className="w-3 shrink-0">
        {level === 'low' && <TriangleAlert aria-hidden className="size-3 text-failed" strokeWidth={2.25} />}
      </span>
      <span aria-hidden className="h-1 w-8 shrink-0 overflow-hidden rounded-full bg-line">
        <span
          className={cn('block h-full rounded-full', FILL[level])}
          style={{ width: `${Math.round(value * 100)}%` }}
        />
      </span>
      <span className="tabular w-10 text-right text-sm">
        <span className="sr-only">Confidence </span>
        {formatPercent(value)}
        {level !== 'high' && <span className="sr-only">, {name}</span>}
      </span>
    </span>
  );
}
