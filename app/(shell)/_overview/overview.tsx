'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Filter, Inbox } from 'lucide-react';
import Link from 'next/link';
import { metricsQuery } from '@/lib/api-client/queries';
import type { Metrics } from '@/lib/contract/api-metrics';
import { FilterBar, type FilterOptions } from '../../_filters/filter-bar';
import { filteredHref, isFiltered } from '../../_filters/filters';
import { SavedViews } from '../../_filters/saved-views';
import { type Filters, useFilters } from '../../_filters/use-filters';
import { Button } from '../../_ui/button';
import { cn } from '../../_ui/cn';
import { EmptyState } from '../../_ui/empty-state';
import { ErrorState } from '../../_ui/error-state';
import { island } from '../../_ui/island';
import { totalOf } from '../../_ui/status';
import { Answer } from './answer';
import { Figures } from './figures';
import { ChartsSkeleton, OverviewSkeleton } from './overview-skeleton';
import { type Question, Questions, questionOf } from './questions';
import { StatusCounts } from './status-counts';
import { useExact } from './use-exact';

// Below what is looked at first: neither frames nor drawings hold the page up.
const Charts = island(() => import('./charts/charts').then((module) => module.Charts), {
  what: 'The charts',
  loading: () => <ChartsSkeleton />,
  className: 'min-h-56',
});

interface OverviewProps {
  readonly options: FilterOptions;
  /** When the server asked for the figures (ms). */
  readonly renderedAt: number;
}

/** All work at a glance, under filters that live in the address. */
export function Overview({ options, renderedAt }: OverviewProps) {
  const filters = useFilters(renderedAt);
  const question = questionOf(filters.values);
  const metrics = useQuery({ ...metricsQuery(filters.query), placeholderData: keepPreviousData });
  return (
    <>
      <FilterBar filters={filters} options={options}>
        <SavedViews page="overview" search={filteredHref('', filters.values).slice(1)} />
      </FilterBar>
      <Questions agents={options.agents} asked={question} onAsk={filters.change} />
      {metrics.data ? (
        <div
          aria-busy={metrics.isPlaceholderData}
          className={cn('transition-opacity', metrics.isPlaceholderData && 'opacity-60')}
        >
          <Shown metrics={metrics.data} filters={filters} options={options} question={question} />
        </div>
      ) : metrics.error ? (
        <ErrorState
          title="The figures could not be loaded"
          message={`${metrics.error.message} Work goes on meanwhile; the page tries again by itself.`}
          onRetry={() => void metrics.refetch()}
        />
      ) : (
        <OverviewSkeleton />
      )}
    </>
  );
}

interface ShownProps {
  readonly metrics: Metrics;
  readonly filters: Filters;
  readonly options: FilterOptions;
  readonly question: Question | null;
}

function Shown({ metrics, filters, options, question }: ShownProps) {
  const { values, query, now, change } = filters;
  const exact = useExact(filters);
  if (totalOf(metrics.counts) === 0) {
    return isFiltered(values) ? <NoMatch onClear={() => change(CLEARED)} /> : <NoTasks />;
  }
  return (
    <>
      {question && (
        <Answer question={question} metrics={metrics} exact={exact.metrics} agents={options.agents} />
      )}
      <StatusCounts counts={metrics.counts} before={metrics.previous?.counts ?? null} values={values} />
      <Figures
        metrics={metrics}
        query={query}
        exact={exact.metrics}
        onExact={exact.compute}
        exactPending={exact.pending}
        question={question}
        now={now}
      />
      <Charts metrics={metrics} filters={filters} options={options} />
    </>
  );
}

const CLEARED = {
  ...{ range: null, from: null, to: null },
  ...{ status: null, agent: null, client: null, extraction: null },
};
function NoTasks() {
  return (
    <EmptyState
      icon={Inbox}
      title="No tasks yet"
      action={
        <Button asChild variant="primary">
          <Link href="/submit">Submit documents</Link>
        </Button>
      }
    >
      Counts, tokens and cost appear here as soon as the first document is submitted.
    </EmptyState>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={Filter}
      title="No task matches"
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      Tasks count by the time of their creation. Choose a longer range or fewer filters.
    </EmptyState>
  );
}
