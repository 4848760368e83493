import type { ComponentProps } from 'react';
import { cn } from './cn';

/** Written out, because `display: block` on a phone takes the roles of a table away. */
const ROLES = {
  table: 'table',
  rowgroup: 'rowgroup',
  row: 'row',
  columnheader: 'columnheader',
  cell: 'cell',
} as const;

/**
 * A table that becomes a list of cards on a phone: each cell then shows its `label` before its value.
 */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return (
    <table
      role={ROLES.table}
      className={cn(
        'border-collapse max-md:block max-md:w-full md:-mx-3 md:w-[calc(100%+1.5rem)]',
        className,
      )}
      {...props}
    />
  );
}

export function TableHead(props: ComponentProps<'thead'>) {
  return <thead role={ROLES.rowgroup} className="max-md:sr-only" {...props} />;
}

export function TableBody(props: ComponentProps<'tbody'>) {
  return <tbody role={ROLES.rowgroup} className="max-md:flex max-md:flex-col max-md:gap-2" {...props} />;
}

export function Row({ className, ...props }: ComponentProps<'tr'>) {
  return (
    <tr
      role={ROLES.row}
      className={cn(
        'border-line border-b max-md:grid max-md:grid-cols-2 max-md:gap-x-6 max-md:rounded-md max-md:border max-md:bg-surface max-md:px-3 max-md:py-2 md:h-9',
        className,
      )}
      {...props}
    />
  );
}

interface HeadCellProps extends ComponentProps<'th'> {
  readonly numeric?: boolean;
}

export function HeadCell({ numeric, className, ...props }: HeadCellProps) {
  return (
    <th
      role={ROLES.columnheader}
      scope="col"
      className={cn(
        'h-8 whitespace-nowrap px-3 font-medium text-muted text-xs',
        numeric ? 'text-right' : 'text-left',
        className,
      )}
      {...props}
    />
  );
}

interface CellProps extends ComponentProps<'td'> {
  readonly numeric?: boolean;
  /** Shown before the value on a phone. */
  readonly label?: string;
  /** On a phone: half a card's width, where the value is short; or not at all, where there is none. */
  readonly card?: 'half' | 'hidden';
}

export function Cell({ numeric, label, card, className, children, ...props }: CellProps) {
  return (
    <td
      role={ROLES.cell}
      className={cn(
        'px-3 max-md:flex max-md:min-h-7 max-md:items-center max-md:gap-3 max-md:px-0',
        label && 'max-md:justify-between',
        card !== 'half' && 'max-md:col-span-2',
        card === 'hidden' && 'max-md:hidden',
        numeric && 'tabular text-right',
        className,
      )}
      {...props}
    >
      {label && (
        <span aria-hidden className="text-muted text-sm md:hidden">
          {label}
        </span>
      )}
      {children}
    </td>
  );
}
