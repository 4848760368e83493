'use client';

import { MapPin } from 'lucide-react';
import type { ResultField } from '@/lib/contract/result';
import { Button } from '../../../_ui/button';
import { cn } from '../../../_ui/cn';
import { ScrollRegion } from '../../../_ui/scroll-region';
import { fieldLabel, groupDigits, isAmountName } from './field-label';
import type { Linking } from './linking';
import { jsonText, MAX_SHOWN, shortText } from './shown-values';

interface LineTableProps {
  readonly field: ResultField;
  readonly currency: string | null;
  readonly linking: Linking;
}

/** A field that is a list of things with the same parts, such as the lines of an invoice. */
export function LineTable({ field, currency, linking }: LineTableProps) {
  const all = field.value as unknown[];
  const lines = all.slice(0, MAX_SHOWN).map((line, index) => ({
    line: line as Record<string, unknown>,
    key: `${field.name}.${index}`,
    number: index + 1,
  }));
  const columns = columnsOf(lines.map(({ line }) => line));
  return (
    <section aria-labelledby={`table-${field.name}`}>
      <h2 id={`table-${field.name}`} className="mb-1 font-medium text-lg">
        {fieldLabel(field.name)}{' '}
        <span className="tabular font-normal text-base text-muted">{all.length}</span>
      </h2>
      <ScrollRegion
        label={`${fieldLabel(field.name)}, scrollable`}
        className="scroll-cue relative overflow-x-auto"
      >
        <table className="w-full border-collapse">
          <thead>
            <tr className="border-line border-b">
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={cn(
                    'h-8 whitespace-nowrap px-2 font-medium text-muted text-xs first:ps-0',
                    isAmountName(column) ? 'text-right' : 'text-left',
                  )}
                >
                  {fieldLabel(column)}
                  {currency && isAmountName(column) && column !== 'quantity' && ` (${currency})`}
                </th>
              ))}
              <th scope="col" className="w-8">
                <span className="sr-only">Place</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ line, key, number }) => (
              <LineRow
                key={key}
                markKey={key}
                number={number}
                line={line}
                columns={columns}
                linking={linking}
              />
            ))}
          </tbody>
        </table>
        {all.length > lines.length && (
          <p className="py-1.5 text-muted">and {all.length - lines.length} more</p>
        )}
      </ScrollRegion>
    </section>
  );
}

/** As they stand on a page. Stored JSON keeps no order of its own, so words come first, then amounts. */
const COLUMN_ORDER = ['description', 'label', 'quantity', 'unit_price', 'amount', 'currency'];

function columnsOf(lines: readonly Record<string, unknown>[]): string[] {
  const rank = (column: string) => {
    const known = COLUMN_ORDER.indexOf(column);
    if (known >= 0) return known;
    return isAmountName(column) ? COLUMN_ORDER.length : -1;
  };
  return [...new Set(lines.flatMap((line) => Object.keys(line)))]
    .filter((column) => column !== 'confidence' && column !== 'line')
    .sort((a, b) => rank(a) - rank(b));
}

interface LineRowProps {
  readonly markKey: string;
  readonly number: number;
  readonly line: Record<string, unknown>;
  readonly columns: readonly string[];
  readonly linking: Linking;
}

function LineRow({ markKey, number, line, columns, linking }: LineRowProps) {
  const mark = linking.marks.get(markKey);
  const lit = linking.activeKey === markKey || linking.hoverKey === markKey;
  return (
    <tr
      data-field={markKey}
      className={cn('border-line border-b transition-colors', lit ? 'bg-lit' : mark && 'hover:bg-hover')}
      onPointerEnter={mark && (() => linking.onHover(markKey))}
      onPointerLeave={mark && (() => linking.onHover(null))}
    >
      {columns.map((column) => (
        <td
          key={column}
          className={cn(
            'px-2 py-1.5 align-top first:ps-0',
            isAmountName(column) ? 'tabular whitespace-nowrap text-right' : 'min-w-40',
          )}
        >
          <LineValue value={line[column]} grouped={isAmountName(column)} />
        </td>
      ))}
      <td className="py-0.5 text-right align-top">
        {mark && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Show line ${number} on page ${mark.page}`}
            aria-pressed={linking.activeKey === markKey}
            onClick={() => linking.onSelect(markKey)}
            onFocus={() => linking.onHover(markKey)}
            onBlur={() => linking.onHover(null)}
          >
            <MapPin className="text-muted" />
          </Button>
        )}
      </td>
    </tr>
  );
}

function LineValue({ value, grouped }: { readonly value: unknown; readonly grouped: boolean }) {
  if (value === null || value === undefined) {
    return (
      <span className="text-muted" title="The document does not show it">
        —
      </span>
    );
  }
  if (typeof value === 'object') return <code className="font-mono text-xs">{jsonText(value)}</code>;
  const text = shortText(String(value));
  return grouped ? groupDigits(text) : text;
}
