'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '../_ui/button';
import { cn } from '../_ui/cn';
import { Field, Input } from '../_ui/input';
import { RANGE_WORDS, RANGES, type RangeValues, resolveRange } from './range';
import { instantOf, wallClockAt } from './zone';

interface RangePanelProps {
  readonly values: RangeValues;
  readonly now: number;
  readonly timeZone: string;
  readonly onChoose: (values: RangeValues) => void;
}

const PRESETS = [
  { range: null, word: 'All time' },
  ...RANGES.map((range) => ({ range, word: RANGE_WORDS[range] })),
];

/** The ranges with a name, and two ends to set by oneself. */
export function RangePanel(props: RangePanelProps) {
  const { values, onChoose } = props;
  return (
    <>
      <ul className="grid grid-cols-2 gap-1 border-line border-b p-2">
        {PRESETS.map(({ range, word }) => {
          const on = values.from === null && values.to === null && values.range === range;
          return (
            <li key={word}>
              <Button
                variant="ghost"
                aria-pressed={on}
                className={cn('w-full justify-start font-normal', on && 'bg-accent-soft font-medium')}
                onClick={() => onChoose({ range, from: null, to: null })}
              >
                {word}
              </Button>
            </li>
          );
        })}
      </ul>
      <OwnRange {...props} />
    </>
  );
}

function OwnRange({ values, now, timeZone, onChoose }: RangePanelProps) {
  const shown = resolveRange(values, timeZone, now);
  const [from, setFrom] = useState(() => toField(shown.from, timeZone));
  const [to, setTo] = useState(() => toField(shown.to, timeZone));
  const backwards = from !== '' && to !== '' && from >= to;
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (!backwards) onChoose({ range: null, from: fromField(from, timeZone), to: fromField(to, timeZone) });
  };
  return (
    <form className="flex flex-col gap-3 p-3" onSubmit={apply}>
      <Field label="From">
        {(ids) => (
          <Input
            {...ids}
            type="datetime-local"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Until"
        hint={`Times are ${timeZone}. An empty end is open.`}
        error={backwards ? 'The end must be after the start' : undefined}
      >
        {(ids) => (
          <Input {...ids} type="datetime-local" value={to} onChange={(event) => setTo(event.target.value)} />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={backwards || (from === '' && to === '')}>
        Apply
      </Button>
    </form>
  );
}

const two = (value: number) => String(value).padStart(2, '0');

/** As a field for local time takes it: `2026-11-30T14:02`. */
function toField(iso: string | undefined, timeZone: string): string {
  if (iso === undefined) return '';
  const { year, month, day, hour, minute } = wallClockAt(Date.parse(iso), timeZone);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

function fromField(text: string, timeZone: string): string | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text);
  if (!found) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1).map(Number);
  return new Date(instantOf({ year, month, day, hour, minute }, timeZone)).toISOString();
}
