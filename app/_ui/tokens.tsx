import { cn } from './cn';
import { formatCount, formatShort } from './format/count';
import { Unknown } from './unknown';

interface TokensProps {
  readonly count: number | null;
  readonly why?: string;
  readonly className?: string;
}

/** A number of tokens, short; in full on hover. */
export function Tokens({ count, why = 'Not reported yet', className }: TokensProps) {
  if (count === null) return <Unknown why={why} />;
  return (
    <data
      value={count}
      title={`${formatCount(count)} tokens`}
      className={cn('tabular whitespace-nowrap', className)}
    >
      {formatShort(count)}
    </data>
  );
}
