'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw, Upload } from 'lucide-react';
import Link from 'next/link';
import { taskListQuery } from '@/lib/api-client/queries';
import type { TaskListItem } from '@/lib/contract/api';
import { endsTheSame } from '@/lib/contract/error-codes';
import { Button } from '../../../_ui/button';
import { ErrorState } from '../../../_ui/error-state';
import { explainError } from '../../../_ui/explain-error';
import { formatCount } from '../../../_ui/format/count';
import { MiddleTruncate } from '../../../_ui/middle-truncate';
import { Skeleton } from '../../../_ui/skeleton';
import type { Bulk } from '../../_bulk/use-bulk';
import { failureFilters } from './document-filters';

interface FailuresProps {
  readonly extractionId: string;
  readonly client: string | null;
  readonly mayRetry: boolean;
  readonly bulk: Bulk;
}

const NAMES_SHOWN = 3;

/** What failed, grouped by reason, each group with what to do about it. */
export function Failures({ extractionId, mayRetry, bulk }: FailuresProps) {
  const { data, error, refetch } = useInfiniteQuery(taskListQuery(failureFilters(extractionId)));
  const failed = data?.pages.flatMap((page) => page.tasks) ?? [];
  if (!data) {
    return error ? (
      <ErrorState
        title="What failed could not be loaded"
        message={error.message}
        onRetry={() => void refetch()}
      />
    ) : (
      <Skeleton className="mb-8 h-24 w-full" />
    );
  }
  if (failed.length === 0) return null;
  return (
    <section aria-labelledby="failures" className="mb-8">
      <h2 id="failures" className="mb-2 font-medium text-lg">
        What failed
      </h2>
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {[...groupByCode(failed)].map(([code, tasks]) => (
          <FailureGroup
            key={code}
            code={code}
            tasks={tasks}
            extractionId={extractionId}
            mayRetry={mayRetry}
            bulk={bulk}
          />
        ))}
      </ul>
    </section>
  );
}

function groupByCode(tasks: readonly TaskListItem[]): Map<string, TaskListItem[]> {
  const groups = new Map<string, TaskListItem[]>();
  for (const task of tasks) {
    const code = task.errorCode ?? 'unknown';
    groups.set(code, [...(groups.get(code) ?? []), task]);
  }
  return new Map([...groups].sort(([, a], [, b]) => b.length - a.length));
}

interface FailureGroupProps {
  readonly code: string;
  readonly tasks: readonly TaskListItem[];
  readonly extractionId: string;
  readonly mayRetry: boolean;
  readonly bulk: Bulk;
}

function FailureGroup({ code, tasks, extractionId, mayRetry, bulk }: FailureGroupProps) {
  const retryable = !endsTheSame(code);
  const { title, advice } = explainError(code, tasks[0]?.errorMessage ?? null);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-3">
      <div className="min-w-0 max-w-[75ch] grow">
        <p className="font-medium">
          {title} <span className="tabular font-normal text-muted">· {formatCount(tasks.length)}</span>
        </p>
        <p className="text-muted text-sm">{advice}</p>
        <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-sm">
          {tasks.slice(0, NAMES_SHOWN).map((task) => (
            <li key={task.id} className="min-w-0 max-w-full">
              <Link
                href={`/tasks/${task.id}`}
                prefetch={false}
                className="flex min-w-0 underline decoration-line-strong"
              >
                <MiddleTruncate text={task.filename ?? task.id} />
              </Link>
            </li>
          ))}
          {tasks.length > NAMES_SHOWN && (
            <li className="text-muted">and {formatCount(tasks.length - NAMES_SHOWN)} more</li>
          )}
        </ul>
      </div>
      {retryable && mayRetry ? (
        <RetryGroup code={code} tasks={tasks} extractionId={extractionId} bulk={bulk} />
      ) : retryable ? (
        <p className="text-muted text-sm">An operator can retry.</p>
      ) : (
        <Button asChild size="sm">
          <Link href="/submit">
            <Upload /> {tasks.length === 1 ? 'Submit a new copy' : 'Submit new copies'}
          </Link>
        </Button>
      )}
    </li>
  );
}

interface RetryGroupProps {
  readonly code: string;
  readonly tasks: readonly TaskListItem[];
  readonly extractionId: string;
  readonly bulk: Bulk;
}

function RetryGroup({ code, tasks, extractionId, bulk }: RetryGroupProps) {
  const count = tasks.length;
  // What a person set to failed by hand has no code to filter by.
  const chosen = tasks.some((task) => task.errorCode === null)
    ? { ids: tasks.map(({ id }) => id) }
    : { filter: { extraction: extractionId, errorCode: code, status: 'failed' as const } };
  const retry = () =>
    bulk.start(
      { action: 'retry', ...chosen },
      {
        label: 'Retrying',
        done: (changed) => `${formatCount(changed)} ${changed === 1 ? 'task' : 'tasks'} will run again`,
        problem: 'Nothing was retried',
      },
    );
  return (
    <Button size="sm" disabled={bulk.busy} onClick={retry}>
      <RotateCw /> Retry {count === 1 ? 'it' : `all ${formatCount(count)}`}
    </Button>
  );
}
