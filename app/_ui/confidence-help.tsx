'use client';

import { CircleHelp, TriangleAlert } from 'lucide-react';
import { Popover } from 'radix-ui';
import { Button } from './button';
import { HIGH_FROM, LEVEL_WORDS, LOW_BELOW } from './confidence-level';
import { formatPercent } from './format/count';

/** What a confidence means and what to check, behind a button: docs/runbook.md says the same at more length. */
export function ConfidenceHelp() {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button size="icon-sm" variant="ghost" title="What confidence means">
          <CircleHelp />
          <span className="sr-only">What confidence means</span>
        </Button>
      </Popover.Trigger>
      <Popover.Content
        role="dialog"
        aria-label="What confidence means"
        align="end"
        sideOffset={6}
        collisionPadding={8}
        className="z-50 flex w-80 max-w-[calc(100vw-1rem)] animate-appear flex-col gap-2 rounded-md border border-line bg-surface p-4 text-left font-normal text-sm shadow-float"
      >
        <p>
          How sure the agent is of a value, and how surely it was found on the page. It is not a measured
          share of right answers. A document’s confidence is the mean over the values that were found; what
          was not found does not count.
        </p>
        <dl className="flex flex-col gap-1">
          <Level range={`From ${formatPercent(HIGH_FROM)}`}>{LEVEL_WORDS.high.check}</Level>
          <Level range={`${formatPercent(LOW_BELOW)} to ${formatPercent(HIGH_FROM - 0.01)}`}>
            {LEVEL_WORDS.middling.check}
          </Level>
          <Level range={`Below ${formatPercent(LOW_BELOW)}`} low>
            {LEVEL_WORDS.low.check}
          </Level>
        </dl>
        <p className="text-muted">
          Whatever it says: a failed check, such as a total that does not add up, outweighs a high confidence.
        </p>
      </Popover.Content>
    </Popover.Root>
  );
}

interface LevelProps {
  readonly range: string;
  readonly low?: boolean;
  readonly children: string;
}

function Level({ range, low, children }: LevelProps) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-2">
      <dt className="tabular inline-flex items-center gap-1 self-start font-medium">
        {range}
        {low && <TriangleAlert aria-hidden className="size-3 text-failed" strokeWidth={2.25} />}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
