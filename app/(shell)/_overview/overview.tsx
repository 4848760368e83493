'use client';

import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { metricsQuery } from '@/lib/api-client/queries';
import { Button } from '../../_ui/button';
import { EmptyState } from '../../_ui/empty-state';
import { ErrorState } from '../../_ui/error-state';
import { formatCount } from '../../_ui/format/count';
import { SegmentedBar } from '../../_ui/segmented-bar';
import { Skeleton } from '../../_ui/skeleton';
import { STATUSES, totalOf } from '../../_ui/status';
import { StatusBadge } from '../../_ui/status-badge';
import { taskListHref } from '../tasks/task-filters';
import { Figures } from './figures';

const Throughput = dynamic(() => import('./throughput').then((module) => module.Throughput), {
  ssr: false,
  loading: () => <Skeleton className="h-[19rem] w-full" />,
});

/** How much there is of each status, what it used and how it went over time. */
export function Overview() {
  const { data: metrics, error, refetch } = useQuery(metricsQuery());
  if (!metrics) {
    return error ? (
      <ErrorState
        title="The figures could not be loaded"
        message={error.message}
        onRetry={() => void refetch()}
      />
    ) : null;
  }
  if (totalOf(metrics.counts) === 0) {
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
  return (
    <>
      <section aria-label="Tasks per status" className="mb-6">
        <SegmentedBar counts={metrics.counts} size="lg" />
        <ul className="mt-3 grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-5">
          {STATUSES.map((status) => (
            <li key={status}>
              <Link href={taskListHref('/tasks', { status: [status] })} className="group block rounded-sm">
                <StatusBadge status={status} className="font-normal text-sm" />
                <span className="tabular block font-semibold text-xl group-hover:underline">
                  {formatCount(metrics.counts[status])}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <Figures metrics={metrics} />
      <Throughput series={metrics.series} bucket={metrics.bucket} />
    </>
  );
}
