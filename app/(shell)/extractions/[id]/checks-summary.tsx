'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Check, SearchX, X } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { extractionChecksQuery, settledAt } from '@/lib/api-client/queries';
import type { Extraction } from '@/lib/contract/api';
import type { ExtractionChecks } from '@/lib/contract/api-checks';
import { ErrorState } from '../../../_ui/error-state';
import { formatCount } from '../../../_ui/format/count';
import { MiddleTruncate } from '../../../_ui/middle-truncate';
import { Skeleton } from '../../../_ui/skeleton';

type Tasks = ExtractionChecks['nothingFound'];

/** What does not add up, and on which documents; what holds takes one line. */
export function ChecksSummary({ extraction }: { readonly extraction: Extraction }) {
  const { data, error, refetch } = useQuery({
    ...extractionChecksQuery(extraction.id, settledAt(extraction)),
    placeholderData: keepPreviousData,
  });
  if (!data && error) {
    return (
      <ErrorState
        title="The checks could not be made"
        message={`${error.message} Results are there all the same.`}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data?.documents === 0) return null;
  const { failing = [], nothingFound } = data ?? {};
  return (
    <section aria-labelledby="checks" className="mb-8">
      <h2 id="checks" className="mb-2 font-medium text-lg">
        Checks
      </h2>
      {(failing.length > 0 || (nothingFound?.count ?? 0) > 0) && (
        <ul className="mb-2 divide-y divide-line rounded-md border border-line bg-surface">
          {failing.map((check) => (
            <Group
              key={check.label}
              icon={<X aria-hidden className="mt-1 size-3.5 shrink-0 text-failed" strokeWidth={2.5} />}
              title={`Fails: ${check.label}`}
              tasks={check}
            />
          ))}
          {nothingFound && nothingFound.count > 0 && (
            <Group
              icon={<SearchX aria-hidden className="mt-1 size-3.5 shrink-0 text-muted" strokeWidth={2.25} />}
              title="Nothing was found"
              tasks={nothingFound}
            />
          )}
        </ul>
      )}
      {data ? <WhatHolds checks={data} /> : <Skeleton className="h-5.5 w-80" />}
    </section>
  );
}

function WhatHolds({ checks }: { readonly checks: ExtractionChecks }) {
  const { documents, complete, holding, unknown } = checks;
  const of = `${complete ? '' : 'the first '}${formatCount(documents)} completed ${documents === 1 ? 'document' : 'documents'}`;
  if (holding === 0) return <p className="text-muted">No check of figures could be made on {of}.</p>;
  return (
    <p className="tabular flex gap-2.5 text-muted">
      <Check aria-hidden className="mt-1 size-3.5 shrink-0 text-completed" strokeWidth={2.5} />
      <span>
        {formatCount(holding)} {holding === 1 ? 'check holds' : 'checks hold'} on {of}
        {unknown > 0 && `; ${formatCount(unknown)} could not be made, as a figure is missing`}.
      </span>
    </p>
  );
}

interface GroupProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly tasks: Tasks;
}

function Group({ icon, title, tasks: { count, tasks } }: GroupProps) {
  return (
    <li className="flex gap-2.5 px-4 py-3">
      {icon}
      <div className="min-w-0 grow">
        <h3 className="font-medium">
          {title} <span className="tabular font-normal text-muted">· {formatCount(count)}</span>
        </h3>
        <ul className="mt-1 flex flex-col gap-0.5 text-sm">
          {tasks.map((task) => (
            <li key={task.id} className="flex min-w-0 flex-wrap gap-x-3">
              <Link
                href={`/tasks/${task.id}`}
                prefetch={false}
                className="flex min-w-0 underline decoration-line-strong pointer-coarse:py-1.5"
              >
                <MiddleTruncate text={task.filename ?? `Task ${task.id.slice(0, 8)}`} />
              </Link>
              <span className="tabular text-muted pointer-coarse:py-1.5">{task.detail}</span>
            </li>
          ))}
          {count > tasks.length && (
            <li className="text-muted">and {formatCount(count - tasks.length)} more</li>
          )}
        </ul>
      </div>
    </li>
  );
}
