'use client';

import { Bot, Building2, CircleDot, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../_ui/button';
import { STATUS_LOOK, STATUSES } from '../_ui/status';
import { StatusBadge } from '../_ui/status-badge';
import { ChoiceChip } from './choice-chip';
import { ExtractionChip } from './extraction-chip';
import { isFiltered } from './filters';
import { RangeChip } from './range-chip';
import type { Filters } from './use-filters';

/** What can be chosen, as the server knows it. */
export interface FilterOptions {
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly clients: readonly string[];
}

interface FilterBarProps {
  readonly filters: Filters;
  readonly options: FilterOptions;
  /** What a page filters by besides. */
  readonly more?: {
    readonly control: ReactNode;
    readonly isSet: boolean;
    readonly clear: () => void;
  };
  /** At the end of the bar: saved views. */
  readonly children?: ReactNode;
}

const STATUS_CHOICES = STATUSES.map((status) => ({
  value: status,
  label: <StatusBadge status={status} still className="font-normal" />,
  text: STATUS_LOOK[status].word,
}));

/** The filters of a page as chips; they live in its address. */
export function FilterBar({ filters: { values, change, now }, options, more, children }: FilterBarProps) {
  const clear = () => {
    more?.clear();
    change({
      ...{ range: null, from: null, to: null },
      ...{ status: null, agent: null, client: null, extraction: null },
    });
  };
  const agents = options.agents.map(({ id, name }) => ({ value: id, label: name, text: name }));
  const clients = options.clients.map((client) => ({ value: client, label: client, text: client }));
  return (
    <search aria-label="Filters" data-print="hide" className="mb-5 flex flex-wrap items-end gap-1.5">
      {more?.control}
      {/* On a phone one line that is pushed sideways, or the filters would take half of the screen. */}
      <div className="flex items-end gap-1.5 max-sm:-mx-4 max-sm:w-screen max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:[scrollbar-width:none] sm:contents">
        <RangeChip values={values} now={now} onChange={change} />
        <ChoiceChip
          icon={CircleDot}
          label="Status"
          choices={STATUS_CHOICES}
          chosen={values.status}
          onChange={(status) => change({ status: STATUSES.filter((one) => status.includes(one)) })}
        />
        <ChoiceChip
          icon={Bot}
          label="Agent"
          choices={agents}
          chosen={values.agent}
          onChange={(agent) => change({ agent })}
        />
        <ChoiceChip
          icon={Building2}
          label="Client"
          choices={clients}
          chosen={values.client}
          onChange={(client) => change({ client })}
          free
        />
        <ExtractionChip chosen={values.extraction} onChange={(extraction) => change({ extraction })} />
        {(isFiltered(values) || more?.isSet) && (
          <Button variant="ghost" onClick={clear}>
            <X /> Clear
          </Button>
        )}
        {children && <div className="ms-auto flex items-center gap-1.5">{children}</div>}
      </div>
    </search>
  );
}
