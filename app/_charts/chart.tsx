'use client';

import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../_ui/button';
import { cn } from '../_ui/cn';
import { ChartTable } from './chart-table';

/** Something that a chart shows, with its colour. */
export interface Series {
  readonly key: string;
  readonly label: string;
  readonly color: string;
}

interface ChartProps {
  readonly title: string;
  /** Of the axes, and whatever else must be known to read it. */
  readonly note: ReactNode;
  readonly series?: readonly Series[];
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
  /** Pixels, scrolled beyond them; `all`: as high as what is in it, for rows that no one may miss. */
  readonly height?: number | 'all';
  /** Said instead where there is nothing to show. */
  readonly empty: string | null;
  /** Choices that belong to it. */
  readonly actions?: ReactNode;
  readonly className?: string;
  /** Draws what is not hidden. */
  readonly children: (shown: readonly Series[]) => ReactNode;
}

export const CHART_HEIGHT = 224;

/** A chart's frame, of the same size before, with and without its data: title, units, legend, and its numbers as a table. */
export function Chart(props: ChartProps) {
  const {
    title,
    note,
    series = [],
    table,
    height = CHART_HEIGHT,
    empty,
    actions,
    className,
    children,
  } = props;
  const size = height === 'all' ? { minHeight: CHART_HEIGHT } : { height };
  const [asTable, setAsTable] = useState(false);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const id = useId();
  const shown = series.filter(({ key }) => !hidden.has(key));
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    // With all hidden there is nothing left to understand.
    setHidden(next.size === series.length ? new Set() : next);
  };
  return (
    <section aria-labelledby={id} className={cn('min-w-0 border-line border-t pt-4', className)}>
      <div className="mb-2 flex items-start justify-between gap-x-3">
        <div className="min-w-0 grow">
          <h2 id={id} className="font-medium text-base">
            {title}
          </h2>
          <p className="text-balance text-muted text-xs">{note}</p>
        </div>
        <div className="flex shrink-0 items-center gap-1">
          {actions}
          <Button
            size="icon-sm"
            variant="ghost"
            aria-pressed={asTable}
            disabled={empty !== null}
            title={asTable ? 'Show as chart' : 'Show as table'}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <ChartColumn /> : <Table2 />}
            <span className="sr-only">{`Show “${title}” as table`}</span>
          </Button>
        </div>
      </div>
      {empty !== null ? (
        <p
          className="flex items-center justify-center rounded-md border border-line border-dashed px-6 text-center text-muted text-sm"
          style={size}
        >
          {empty}
        </p>
      ) : asTable ? (
        <ChartTable label={title} {...table} size={size} />
      ) : (
        <figure aria-labelledby={id} className="overflow-hidden" style={size}>
          {children(shown)}
        </figure>
      )}
      {series.length > 0 && <Legend series={series} hidden={hidden} onToggle={toggle} />}
    </section>
  );
}

interface LegendProps {
  readonly series: readonly Series[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}

/** What each colour means; a click hides it, or shows it again. */
function Legend({ series, hidden, onToggle }: LegendProps) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-1 gap-y-0.5">
      {series.map(({ key, label, color }) => {
        const on = !hidden.has(key);
        return (
          <li key={key}>
            <button
              type="button"
              aria-pressed={on}
              title={on ? `Hide ${label}` : `Show ${label}`}
              onClick={() => onToggle(key)}
              className={cn(
                'flex h-6 items-center gap-1.5 rounded-sm px-1.5 pointer-coarse:h-9 text-muted text-xs hover:bg-hover hover:text-text',
                !on && 'line-through',
              )}
            >
              <span
                aria-hidden
                className="size-2.5 rounded-sm border-2"
                style={{ borderColor: color, backgroundColor: on ? color : 'transparent' }}
              />
              {label}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
