'use client';

import { Button } from '../../_ui/button';
import { Time } from '../../_ui/time';

interface ExactButtonProps {
  readonly approximate: boolean;
  /** When the exact figures were read; null: nobody asked for them. */
  readonly exactAsOf: string | null;
  readonly pending: boolean;
  readonly onClick: () => void;
}

/** Medians of many tasks come from histograms: whoever needs them to the last digit asks. */
export function ExactButton({ approximate, exactAsOf, pending, onClick }: ExactButtonProps) {
  if (exactAsOf !== null) {
    return (
      <span>
        Medians and percentiles are exact as of <Time at={exactAsOf} detail="clock" />.{' '}
        <Button size="sm" variant="ghost" disabled={pending} onClick={onClick}>
          {pending ? 'Computing' : 'Compute again'}
        </Button>
      </span>
    );
  }
  if (!approximate) return null;
  return (
    <span>
      Medians and percentiles are within 2 %.{' '}
      <Button size="sm" variant="ghost" disabled={pending} onClick={onClick}>
        {pending ? 'Computing' : 'Compute exactly'}
      </Button>
    </span>
  );
}
