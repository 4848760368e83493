'use client';

import { CalendarDays } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../_ui/button';
import { cn } from '../_ui/cn';
import { Field, Input } from '../_ui/input';
import { useTimeZone } from '../_ui/viewer';
import { Chip } from './chip';
import { describeRange, RANGE_WORDS, RANGES, type RangeValues, resolveRange } from './range';
import { instantOf, wallClockAt } from './zone';

interface RangeChipProps {
  readonly values: RangeValues;
  readonly now: number;
  readonly onChange: (values: RangeValues) => void;
}

/** The range of time: one with a name, or one of one's own, in the viewer's time zone. */
export function RangeChip({ values, now, onChange }: RangeChipProps) {
  const [open, setOpen] = useState(false);
  const timeZone = useTimeZone();
  const isSet = values.range !== null || values.from !== null || values.to !== null;
  const choose = (chosen: RangeValues) => {
    setOpen(false);
    onChange(chosen);
  };
  const presets = [
    { range: null, word: 'All time' },
    ...RANGES.map((range) => ({ range, word: RANGE_WORDS[range] })),
  ];
  return (
    <Chip
      icon={CalendarDays}
      label="Created"
      value={isSet ? describeRange(values, timeZone, now) : null}
      open={open}
      onOpenChange={setOpen}
      className="w-72"
    >
      <ul className="grid grid-cols-2 gap-1 border-line border-b p-2">
        {presets.map(({ range, word }) => {
          const on = values.from === null && values.to === null && values.range === range;
          return (
            <li key={word}>
              <Button
                variant="ghost"
                aria-pressed={on}
                className={cn('w-full justify-start font-normal', on && 'bg-accent-soft font-medium')}
                onClick={() => choose({ range, from: null, to: null })}
              >
                {word}
              </Button>
            </li>
          );
        })}
      </ul>
      <OwnRange values={values} now={now} timeZone={timeZone} onChoose={choose} />
    </Chip>
  );
}

interface OwnRangeProps extends Omit<RangeChipProps, 'onChange'> {
  readonly timeZone: string;
  readonly onChoose: (values: RangeValues) => void;
}

function OwnRange({ values, now, timeZone, onChoose }: OwnRangeProps) {
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
