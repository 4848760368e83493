import { Children, type ReactNode } from 'react';
import { cn } from '../../_ui/cn';

interface LedgerProps {
  readonly label: string;
  readonly heads: readonly string[];
  /** Heads of columns for which a phone has no room. */
  readonly hiddenOnPhone?: readonly string[];
  readonly children: ReactNode;
}

/** A narrow table of figures that stays a table on a phone: a name, then numbers. */
export function Ledger({ label, heads, hiddenOnPhone = [], children }: LedgerProps) {
  return (
    <table aria-label={label} className="mt-1 w-full max-w-3xl border-collapse text-sm">
      <thead>
        <tr className="border-line border-b text-muted text-xs">
          {heads.map((head, index) => (
            <th
              key={head}
              scope="col"
              className={cn(
                'h-8 whitespace-nowrap font-medium',
                index === 0 ? 'text-left' : 'ps-3 text-right',
                hiddenOnPhone.includes(head) && 'max-sm:hidden',
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface LedgerRowProps {
  readonly name: ReactNode;
  /** Which of the figures a phone has no room for, from 0. */
  readonly hiddenOnPhone?: readonly number[];
  readonly children: ReactNode;
}

export function LedgerRow({ name, hiddenOnPhone = [], children }: LedgerRowProps) {
  return (
    <tr className="border-line border-b">
      <th scope="row" className="h-7 text-left font-normal">
        {name}
      </th>
      {Children.map(children, (child, index) => (
        <td
          className={cn(
            'tabular whitespace-nowrap ps-3 text-right',
            hiddenOnPhone.includes(index) && 'max-sm:hidden',
          )}
        >
          {child}
        </td>
      ))}
    </tr>
  );
}
