'use client';

import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { island } from '../_ui/island';
import { Skeleton } from '../_ui/skeleton';
import { useTimeZone } from '../_ui/viewer';
import { Chip } from './chip';
import { describeRange, type RangeValues } from './range';

// Only who opens it pays for it.
const Panel = island(() => import('./range-panel').then((module) => module.RangePanel), {
  what: 'The choice of a range',
  loading: () => <Skeleton className="m-3 h-72" />,
  className: 'border-0',
});

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
  return (
    <Chip
      icon={CalendarDays}
      label="Created"
      value={isSet ? describeRange(values, timeZone, now) : null}
      open={open}
      onOpenChange={setOpen}
      className="w-72"
    >
      <Panel values={values} now={now} timeZone={timeZone} onChoose={choose} />
    </Chip>
  );
}
