'use client';

import Link from 'next/link';
import type { Metrics } from '@/lib/contract/api-metrics';
import { type FilterValues, filteredHref } from '../../_filters/filters';
import { formatCount } from '../../_ui/format/count';
import { SegmentedBar } from '../../_ui/segmented-bar';
import { STATUSES } from '../../_ui/status';
import { StatusBadge } from '../../_ui/status-badge';
import { changeBetween } from './change';

interface StatusCountsProps {
  readonly counts: Metrics['counts'];
  readonly before: Metrics['counts'] | null;
  readonly values: FilterValues;
}

/** How many tasks of each status there are; each number leads to its tasks. */
export function StatusCounts({ counts, before, values }: StatusCountsProps) {
  return (
    <section aria-label="Tasks per status" className="mb-6">
      <SegmentedBar counts={counts} size="lg" />
      <ul className="mt-3 grid grid-cols-3 gap-x-4 gap-y-3 sm:grid-cols-5 sm:gap-x-6">
        {STATUSES.map((status) => {
          const change = changeBetween(counts[status], before?.[status] ?? null);
          return (
            <li key={status}>
              <Link
                href={filteredHref('/tasks', { ...values, status: [status] })}
                className="group block rounded-sm"
              >
                <StatusBadge status={status} still={counts[status] === 0} className="font-normal text-sm" />
                <span className="tabular block font-semibold text-xl group-hover:underline">
                  {formatCount(counts[status])}
                </span>
              </Link>
              {change && before && counts[status] + before[status] > 0 && (
                <span
                  className="tabular text-muted text-xs"
                  title={`In the period before: ${formatCount(before[status])}`}
                >
                  {change.text}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
