import { cn } from './cn';
import { formatPercent } from './format/count';
import { Unknown } from './unknown';

interface ConfidenceBarProps {
  /** Between 0 and 1. */
  readonly value: number | null;
  readonly why?: string;
  readonly className?: string;
}

/** A confidence as a small bar with its number: length, not colour, says how sure the agent is. */
export function ConfidenceBar({ value, why = 'The agent gave none', className }: ConfidenceBarProps) {
  if (value === null) return <Unknown why={why} />;
  return (
    <span
      className={cn('inline-flex items-center gap-1 whitespace-nowrap align-middle', className)}
      title={`Confidence ${value.toFixed(3)}`}
    >
      <span aria-hidden className="h-1 w-10 shrink-0 overflow-hidden rounded-full bg-line">
        <span
          className={cn('block h-full rounded-full', value < 0.6 ? 'bg-line-strong' : 'bg-text/70')}
          style={{ width: `${Math.round(value * 100)}%` }}
        />
      </span>
      <span className="tabular w-10 text-right text-sm">
        <span className="sr-only">Confidence </span>
        {formatPercent(value)}
      </span>
    </span>
  );
}
