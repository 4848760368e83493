'use client';

import { type ReactNode, useId } from 'react';
import type { ResultField } from '@/lib/contract/result';
import { cn } from '../../../_ui/cn';
import { ConfidenceBar } from '../../../_ui/confidence-bar';
import { fieldLabel, groupDigits, isAmountName } from './field-label';
import type { Linking } from './linking';
import { jsonText, MAX_SHOWN, shortText } from './shown-values';

interface FieldRowProps {
  readonly field: ResultField;
  readonly currency: string | null;
  readonly linking: Linking;
}

/** One field: name, value, confidence. Where its place is known, both name and value lead there. */
export function FieldRow({ field, currency, linking }: FieldRowProps) {
  const nameId = useId();
  const values: readonly unknown[] =
    Array.isArray(field.value) && field.value.length > 0 ? field.value : [field.value];
  const items = values.slice(0, MAX_SHOWN).map((value, index) => {
    const key = Array.isArray(field.value) ? `${field.name}.${index}` : field.name;
    return { key, id: `${nameId}-${index}`, value, place: linking.marks.has(key) ? key : field.name };
  });
  const first = items.find(({ place }) => linking.marks.has(place));
  return (
    <li className="flex items-start border-line border-b max-[24rem]:flex-wrap">
      <label
        id={nameId}
        htmlFor={first?.id}
        className="w-28 shrink-0 py-1.5 text-muted max-[24rem]:w-full max-[24rem]:pb-0 sm:w-36"
      >
        {fieldLabel(field.name)}
      </label>
      <span className="flex min-w-0 grow flex-col">
        {items.map(({ key, id, value, place }) => (
          <Placed key={key} id={id} nameId={nameId} fieldKey={place} linking={linking}>
            <FieldValue
              value={value}
              currency={isAmountName(field.name) ? currency : null}
              grouped={isAmountName(field.name)}
            />
          </Placed>
        ))}
        {values.length > items.length && (
          <span className="block px-1.5 py-1.5 text-muted">and {values.length - items.length} more</span>
        )}
      </span>
      <span className="py-1.5 ps-3">
        <ConfidenceBar
          value={field.value === null ? null : field.confidence}
          why={field.value === null ? 'There is no value to be sure of' : 'The agent gave none'}
        />
      </span>
    </li>
  );
}

interface PlacedProps {
  readonly id: string;
  /** The element that holds the field's name. */
  readonly nameId: string;
  readonly fieldKey: string;
  readonly linking: Linking;
  readonly children: ReactNode;
  readonly className?: string;
}

/** Something with a place on a page: a click shows it, hovering or focusing marks it there too. */
function Placed({ id, nameId, fieldKey, linking, children, className }: PlacedProps) {
  const mark = linking.marks.get(fieldKey);
  if (!mark) return <span className={cn('block px-1.5 py-1.5', className)}>{children}</span>;
  const active = linking.activeKey === fieldKey;
  return (
    <button
      type="button"
      id={id}
      data-field={fieldKey}
      aria-labelledby={`${nameId} ${id}`}
      aria-pressed={active}
      title={`Show on page ${mark.page}`}
      onClick={() => linking.onSelect(fieldKey)}
      onPointerEnter={() => linking.onHover(fieldKey)}
      onPointerLeave={() => linking.onHover(null)}
      onFocus={() => linking.onHover(fieldKey)}
      onBlur={() => linking.onHover(null)}
      className={cn(
        'block w-full rounded-sm px-1.5 py-1.5 pointer-coarse:py-2 text-left transition-colors',
        active || linking.hoverKey === fieldKey ? 'bg-lit' : 'hover:bg-hover',
        className,
      )}
    >
      {children}
    </button>
  );
}

interface FieldValueProps {
  readonly value: unknown;
  readonly currency: string | null;
  readonly grouped: boolean;
}

function FieldValue({ value, currency, grouped }: FieldValueProps) {
  if (value === null || value === undefined) {
    return (
      <span className="text-muted" title="The agent found no such value in the document">
        — <span className="text-sm">not found</span>
      </span>
    );
  }
  if (typeof value === 'string') {
    return (
      <span className="tabular break-words">
        {grouped ? groupDigits(shortText(value)) : shortText(value)}
        {currency && <span className="ms-1 text-muted">{currency}</span>}
      </span>
    );
  }
  if (typeof value === 'number' || typeof value === 'boolean')
    return <span className="tabular">{String(value)}</span>;
  return <code className="break-all font-mono text-xs">{jsonText(value)}</code>;
}
