'use client';

import { ListChecks } from 'lucide-react';
import type { RefObject } from 'react';
import type { BulkAction } from '@/lib/contract/api-bulk';
import { TASK_SORTS, type TaskSort } from '@/lib/contract/task-sorts';
import { FilterBar, type FilterOptions } from '../../../_filters/filter-bar';
import { SavedViews } from '../../../_filters/saved-views';
import type { Filters } from '../../../_filters/use-filters';
import { Button } from '../../../_ui/button';
import { Select } from '../../../_ui/input';
import { Menu, MenuItem, MenuLabel } from '../../../_ui/menu';
import { PageHeader } from '../../../_ui/page-header';
import { TextFilter } from './text-filter';
import { ViewMenu } from './view-menu';
import type { TaskView } from './view-settings';

interface TaskToolbarProps {
  readonly filters: Filters;
  readonly options: FilterOptions;
  readonly q: string;
  readonly sort: TaskSort;
  readonly isFiltered: boolean;
  /** All of it, as a saved view keeps it. */
  readonly saved: string;
  readonly onFilters: (change: { readonly q?: string | null; readonly sort?: TaskSort }) => void;
  readonly view: TaskView;
  readonly onView: (view: TaskView) => void;
  readonly search: RefObject<HTMLInputElement | null>;
  /** null for who may do nothing to many. */
  readonly onAction: ((action: BulkAction) => void) | null;
}

/** What is listed, how, and what can be done with all of it. */
export function TaskToolbar(props: TaskToolbarProps) {
  const { filters, options, q, sort, isFiltered, saved, onFilters, view, onView, search, onAction } = props;
  return (
    <>
      <PageHeader
        title="Tasks"
        actions={
          <>
            {onAction && <ActionMenu isFiltered={isFiltered} onAction={onAction} />}
            <ViewMenu view={view} onView={onView} />
          </>
        }
      />
      <FilterBar
        filters={filters}
        options={options}
        more={{
          isSet: q !== '',
          clear: () => onFilters({ q: null }),
          control: (
            <TextFilter
              ref={search}
              label="Search"
              placeholder="File, client, error or id"
              className="w-60 max-sm:w-full"
              value={q}
              onChange={(typed) => onFilters({ q: typed || null })}
            />
          ),
        }}
      >
        <SavedViews page="tasks" search={saved} />
      </FilterBar>
      <SortSelect sort={sort} onSort={(chosen) => onFilters({ sort: chosen })} />
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
    <div className="-mt-2 mb-3 lg:hidden">
      <Select
        aria-label="Order"
        className="sm:w-60"
        value={sort}
        onChange={(event) => onSort(TASK_SORTS.find((one) => one === event.target.value) ?? '-created')}
      >
        {TASK_SORTS.map((one) => (
          <option key={one} value={one}>
            {SORT_WORDS[one]}
          </option>
        ))}
      </Select>
    </div>
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
