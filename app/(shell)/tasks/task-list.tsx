'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { useEffect, useState } from 'react';
import { taskListQuery } from '@/lib/api-client/queries';
import type { TaskStatus } from '@/lib/contract/api';
import { Button } from '../../_ui/button';
import { cn } from '../../_ui/cn';
import { ErrorState } from '../../_ui/error-state';
import { Field, Input, Select } from '../../_ui/input';
import { SkeletonRows } from '../../_ui/skeleton';
import { STATUS_LOOK, STATUSES } from '../../_ui/status';
import { TaskTable } from '../../_ui/task-table';
import { queryFilters, taskFilterParsers } from './task-filters';

interface AgentName {
  readonly id: string;
  readonly name: string;
}

/** Tasks under filters that live in the address. */
export function TaskList({ agents }: { readonly agents: readonly AgentName[] }) {
  const [filters, setFilters] = useQueryStates(taskFilterParsers, { history: 'replace' });
  const query = useInfiniteQuery(taskListQuery(queryFilters(filters)));
  const any = filters.status.length > 0 || filters.agent || filters.client || filters.q;
  const clear = () => void setFilters({ status: null, agent: null, client: null, q: null });
  return (
    <>
      <search className="mb-4 flex flex-wrap items-end gap-x-3 gap-y-3">
        <TextFilter label="Search" value={filters.q} onChange={(q) => void setFilters({ q: q || null })} />
        <Field label="Agent" className="w-40">
          {(ids) => (
            <Select
              {...ids}
              value={filters.agent}
              onChange={(event) => void setFilters({ agent: event.target.value || null })}
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
          value={filters.client}
          onChange={(client) => void setFilters({ client: client || null })}
        />
        <StatusFilter
          chosen={filters.status}
          onChange={(status) => void setFilters({ status: status.length > 0 ? status : null })}
        />
        {any && (
          <Button variant="ghost" onClick={clear}>
            <X /> Clear
          </Button>
        )}
      </search>
      {query.isPending ? (
        <SkeletonRows rows={10} />
      ) : query.data ? (
        <TaskTable
          tasks={query.data.pages.flatMap((page) => page.tasks)}
          more={query.hasNextPage ? () => void query.fetchNextPage() : null}
          loadingMore={query.isFetchingNextPage}
          empty={any ? 'No task matches these filters.' : 'No tasks yet. They come with submitted documents.'}
          withOrigin
        />
      ) : (
        <ErrorState
          title="The tasks could not be loaded"
          message={query.error.message}
          onRetry={() => void query.refetch()}
        />
      )}
    </>
  );
}

const TYPING_PAUSE_MS = 300;

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter that is typed: it takes effect when the typing pauses. */
function TextFilter({ label, value, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== sent) {
    // Changed from outside: by "Clear", or by the browser's back button.
    setSent(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === sent) return;
    const timer = setTimeout(() => {
      setSent(typed);
      onChange(typed);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, sent, onChange]);
  const searching = label === 'Search';
  return (
    <Field label={label} className={searching ? 'w-64 max-sm:w-full' : 'w-40'}>
      {(ids) => (
        <span className="relative block">
          {searching && (
            <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
          )}
          <Input
            {...ids}
            type="search"
            value={typed}
            placeholder={searching ? 'File, client, error or id' : undefined}
            onChange={(event) => setTyped(event.target.value)}
            className={searching ? 'ps-8' : undefined}
          />
        </span>
      )}
    </Field>
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
