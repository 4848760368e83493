'use client';

import { ListChecks, X } from 'lucide-react';
import type { RefObject } from 'react';
import type { TaskStatus } from '@/lib/contract/api';
import type { BulkAction } from '@/lib/contract/api-bulk';
import { TASK_SORTS, type TaskSort } from '@/lib/contract/api-requests';
import { Button } from '../../../_ui/button';
import { cn } from '../../../_ui/cn';
import { Field, Select } from '../../../_ui/input';
import { Menu, MenuItem, MenuLabel } from '../../../_ui/menu';
import { PageHeader } from '../../../_ui/page-header';
import { STATUS_LOOK, STATUSES } from '../../../_ui/status';
import { isFiltered, type TaskFilterValues } from '../task-filters';
import { TextFilter } from './text-filter';
import { ViewMenu } from './view-menu';
import type { TaskView } from './view-settings';

export interface AgentName {
  readonly id: string;
  readonly name: string;
}

interface TaskToolbarProps {
  readonly agents: readonly AgentName[];
  readonly filters: TaskFilterValues;
  readonly onFilters: (change: Partial<Record<keyof TaskFilterValues, unknown>>) => void;
  readonly view: TaskView;
  readonly onView: (view: TaskView) => void;
  readonly search: RefObject<HTMLInputElement | null>;
  /** null for who may do nothing to many. */
  readonly onAction: ((action: BulkAction) => void) | null;
}

/** What is listed, how, and what can be done with all of it. */
export function TaskToolbar(props: TaskToolbarProps) {
  const { agents, filters, onFilters, view, onView, search, onAction } = props;
  const clear = () => onFilters({ status: null, agent: null, client: null, q: null });
  return (
    <>
      <PageHeader
        title="Tasks"
        actions={
          <>
            {onAction && <ActionMenu isFiltered={isFiltered(filters)} onAction={onAction} />}
            <ViewMenu view={view} onView={onView} />
          </>
        }
      />
      <search className="mb-3 flex flex-wrap items-end gap-x-3 gap-y-3">
        <TextFilter
          ref={search}
          label="Search"
          placeholder="File, client, error or id"
          className="w-60 max-sm:w-full"
          value={filters.q}
          onChange={(q) => onFilters({ q: q || null })}
        />
        <Field label="Agent" className="w-32 max-sm:grow">
          {(ids) => (
            <Select
              {...ids}
              value={filters.agent}
              onChange={(event) => onFilters({ agent: event.target.value || null })}
            >
              <option value="">All</option>
              {agents.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TextFilter
          label="Client"
          className="w-32 max-sm:grow"
          value={filters.client}
          onChange={(client) => onFilters({ client: client || null })}
        />
        <StatusFilter
          chosen={filters.status}
          onChange={(status) => onFilters({ status: status.length > 0 ? status : null })}
        />
        {isFiltered(filters) && (
          <Button variant="ghost" onClick={clear}>
            <X /> Clear
          </Button>
        )}
        <SortSelect sort={filters.sort} onSort={(sort) => onFilters({ sort })} />
      </search>
    </>
  );
}

const SORT_WORDS: Record<TaskSort, string> = {
  '-created': 'Newest first',
  created: 'Oldest first',
  '-priority': 'Highest priority first',
  priority: 'Lowest priority first',
  '-finished': 'Finished last',
  finished: 'Finished first',
  confidence: 'Least sure first',
  '-confidence': 'Surest first',
  '-cost': 'Dearest first',
  cost: 'Cheapest first',
  '-latency': 'Slowest first',
  latency: 'Fastest first',
};

/** Cards have no heads to click. */
function SortSelect({
  sort,
  onSort,
}: {
  readonly sort: TaskSort;
  readonly onSort: (sort: TaskSort) => void;
}) {
  return (
    <Field label="Order" className="w-52 max-sm:w-full lg:hidden">
      {(ids) => (
        <Select
          {...ids}
          value={sort}
          onChange={(event) => onSort(TASK_SORTS.find((one) => one === event.target.value) ?? '-created')}
        >
          {TASK_SORTS.map((one) => (
            <option key={one} value={one}>
              {SORT_WORDS[one]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface ActionMenuProps {
  readonly isFiltered: boolean;
  readonly onAction: (action: BulkAction) => void;
}

/** The same as on a selection, on all that the filters mean, listed or not. */
function ActionMenu({ isFiltered, onAction }: ActionMenuProps) {
  return (
    <Menu
      trigger={
        <Button title="Act on all that match">
          <ListChecks /> <span className="max-sm:sr-only">Act on all</span>
        </Button>
      }
    >
      <MenuLabel>{isFiltered ? 'Of all that match' : 'Of all tasks'}</MenuLabel>
      <MenuItem onSelect={() => onAction('retry')}>Retry what failed or was cancelled</MenuItem>
      <MenuItem onSelect={() => onAction('cancel')}>Cancel what is open</MenuItem>
      <MenuItem onSelect={() => onAction('reprioritise')}>Change the priority of what is open</MenuItem>
    </Menu>
  );
}

interface StatusFilterProps {
  readonly chosen: readonly TaskStatus[];
  readonly onChange: (status: TaskStatus[]) => void;
}

/** Any of the five statuses, as chips that can be pressed. */
function StatusFilter({ chosen, onChange }: StatusFilterProps) {
  const toggle = (status: TaskStatus) =>
    onChange(chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status]);
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-sm">Status</legend>
      <div className="flex flex-wrap gap-1">
        {STATUSES.map((status) => {
          const { word, icon: Icon, text } = STATUS_LOOK[status];
          const on = chosen.includes(status);
          return (
            <Button
              key={status}
              aria-pressed={on}
              className={cn('font-normal', on ? 'border-accent bg-accent-soft' : 'border-line')}
              onClick={() => toggle(status)}
            >
              <Icon className={cn('size-3.5!', text)} /> {word}
            </Button>
          );
        })}
      </div>
    </fieldset>
  );
}
