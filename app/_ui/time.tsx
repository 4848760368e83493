'use client';

import { cn } from './cn';
import { formatClock, formatInstant, formatUtc } from './format/instant';
import { Unknown } from './unknown';
import { useTimeZone, useViewer } from './viewer';

interface TimeProps {
  /** ISO 8601. */
  readonly at: string | null;
  readonly detail?: 'minute' | 'second' | 'clock';
  readonly why?: string;
  readonly className?: string;
}

/** An instant in the viewer's time zone; UTC on hover. */
export function Time({ at, detail = 'minute', why = 'Has not happened yet', className }: TimeProps) {
  const zone = useTimeZone();
  const { renderedAt } = useViewer();
  if (at === null) return <Unknown why={why} />;
  return (
    <time dateTime={at} title={formatUtc(at)} className={cn('tabular whitespace-nowrap', className)}>
      {detail === 'clock'
        ? formatClock(at, zone, 'second')
        : formatInstant(at, zone, new Date(renderedAt), detail)}
    </time>
  );
}
