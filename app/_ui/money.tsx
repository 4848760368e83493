import { cn } from './cn';
import { exactUsd, formatUsd } from './format/money';
import { Unknown } from './unknown';

interface MoneyProps {
  /** A decimal string of US dollars. */
  readonly usd: string | null;
  readonly why?: string;
  /** The price is not money that anybody is billed: the built-in model's. */
  readonly notional?: boolean;
  readonly className?: string;
}

/** An amount with its currency; all digits on hover. */
export function Money({ usd, why = 'No price is known for this model', notional, className }: MoneyProps) {
  if (usd === null) return <Unknown why={why} />;
  const exact = exactUsd(usd);
  return (
    <data
      value={usd}
      title={notional ? `${exact}, a notional price: the built-in model bills nobody` : exact}
      className={cn('tabular inline-flex flex-wrap items-baseline gap-x-1', className)}
    >
      {formatUsd(usd)}
      {notional && <span className="font-normal text-muted text-xs tracking-normal">notional</span>}
    </data>
  );
}
