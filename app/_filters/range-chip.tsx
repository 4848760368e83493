'use client';

import { CalendarDays } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTimeZone } from '../_ui/viewer';
import { Chip } from './chip';
import { describeRange, type RangeValues } from './range';

// Only who opens it pays for it.
const Panel = dynamic(() => import('./range-panel').then((module) => module.RangePanel), { ssr: false });

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
