'use client';

import { CircleHelp } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { type FilterValues, filteredHref, NO_FILTERS } from '../../_filters/filters';
import { Button } from '../../_ui/button';
import { Select } from '../../_ui/input';

interface AgentName {
  readonly id: string;
  readonly name: string;
}

/** A question that the filters ask just now. */
export type Question =
  | { readonly kind: 'failed-cost' }
  | { readonly kind: 'median-spend'; readonly agent: string };

const FAILED_COST: FilterValues = { ...NO_FILTERS, range: '7d', status: ['failed'] };
const medianSpend = (agent: string): FilterValues => ({ ...NO_FILTERS, range: 'month', agent: [agent] });

/** Which of the questions these filters ask; null for any others. */
export function questionOf(values: FilterValues): Question | null {
  const here = filteredHref('', values);
  if (here === filteredHref('', FAILED_COST)) return { kind: 'failed-cost' };
  const [agent, ...others] = values.agent;
  if (agent === undefined || others.length > 0) return null;
  return here === filteredHref('', medianSpend(agent)) ? { kind: 'median-spend', agent } : null;
}

interface QuestionsProps {
  readonly agents: readonly AgentName[];
  readonly asked: Question | null;
  readonly onAsk: (values: FilterValues) => void;
}

/** What is asked most, one click each: the filters that answer it. */
export function Questions({ agents, asked, onAsk }: QuestionsProps) {
  const [chosen, setChosen] = useState(agents[0]?.id ?? '');
  const agent = asked?.kind === 'median-spend' ? asked.agent : chosen;
  const choose = (id: string) => {
    setChosen(id);
    if (asked?.kind === 'median-spend') onAsk(medianSpend(id));
  };
  return (
    <section aria-label="Questions" data-print="hide" className="mb-5 flex flex-wrap items-center gap-1.5">
      <CircleHelp aria-hidden className="size-4 text-muted" />
      <Ask href={filteredHref('/', FAILED_COST)} on={asked?.kind === 'failed-cost'}>
        What did failed tasks cost in the last 7 days?
      </Ask>
      <span className="flex min-w-0 max-w-full items-stretch">
        <Ask
          href={filteredHref('/', medianSpend(agent))}
          on={asked?.kind === 'median-spend'}
          className="rounded-e-none border-e-0"
        >
          Median spend per task this month of
        </Ask>
        <Select
          aria-label="Agent of the question"
          value={agent}
          onChange={(event) => choose(event.target.value)}
          className="h-auto min-h-7 w-32 rounded-s-none border-line text-sm"
        >
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </span>
    </section>
  );
}

interface AskProps {
  readonly href: string;
  readonly on: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

function Ask({ href, on, className = '', children }: AskProps) {
  return (
    <Button
      asChild
      size="sm"
      className={`h-auto min-h-7 whitespace-normal py-0.5 text-left font-normal ${on ? 'border-accent bg-accent-soft' : 'border-line'} ${className}`}
    >
      <Link href={href} aria-current={on ? 'true' : undefined} scroll={false}>
        {children}
      </Link>
    </Button>
  );
}
