import type { ComponentProps } from 'react';
import { cn } from './cn';

/** Written out, because `display: block` on a phone takes the roles of a table away. */
export const ROLES = {
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
        'border-collapse max-lg:block max-lg:w-full lg:-mx-3 lg:w-[calc(100%+1.5rem)]',
        className,
      )}
      {...props}
    />
  );
}

export function TableHead(props: ComponentProps<'thead'>) {
  return <thead role={ROLES.rowgroup} className="max-lg:sr-only" {...props} />;
}

export function TableBody(props: ComponentProps<'tbody'>) {
  return <tbody role={ROLES.rowgroup} className="max-lg:flex max-lg:flex-col max-lg:gap-2" {...props} />;
}

export function Row({ className, ...props }: ComponentProps<'tr'>) {
  return (
    <tr
      role={ROLES.row}
      className={cn(
        'border-line border-b max-lg:grid max-lg:grid-cols-2 md:max-lg:grid-cols-4 max-lg:gap-x-6 max-lg:rounded-md max-lg:border max-lg:bg-surface max-lg:px-3 max-lg:py-2 lg:h-9',
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
  /** In a card: the whole width, less where the value is short, or nothing where there is none. */
  readonly card?: 'full' | 'half' | 'hidden';
}

export function Cell({ numeric, label, card, className, children, ...props }: CellProps) {
  return (
    <td
      role={ROLES.cell}
      className={cn(
        'px-3 max-lg:flex max-lg:min-h-7 max-lg:items-center max-lg:gap-3 max-lg:px-0',
        label && 'max-lg:justify-between',
        card === 'full' ? 'max-lg:col-span-full' : card !== 'half' && 'max-lg:col-span-2',
        card === 'hidden' && 'max-lg:hidden',
        numeric && 'tabular text-right',
        className,
      )}
      {...props}
    >
      {label && (
        <span aria-hidden className="text-muted text-sm lg:hidden">
          {label}
        </span>
      )}
      {children}
    </td>
  );
}
