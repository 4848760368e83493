import { cn } from './cn';
import { formatSeconds } from './format/duration';
import { Unknown } from './unknown';

interface DurationProps {
  readonly seconds: number | null;
  readonly why?: string;
  readonly className?: string;
}

/** A length of time, such as `4.2 s` or `3 min 10 s`. */
export function Duration({ seconds, why = 'Not known yet', className }: DurationProps) {
  if (seconds === null) return <Unknown why={why} />;
  return (
    <span title={`${seconds.toFixed(3)} seconds`} className={cn('tabular whitespace-nowrap', className)}>
      {formatSeconds(seconds)}
    </span>
  );
}
