'use client';

import type { Metrics } from '@/lib/contract/api-metrics';
import { formatCount } from '../../_ui/format/count';
import { STATUS_LOOK, STATUSES } from '../../_ui/status';
import { useBucketLabel } from './use-bucket-label';

interface ThroughputTableProps {
  readonly series: Metrics['series'];
  readonly bucket: Metrics['bucket'];
}

/** The chart's numbers. */
export function ThroughputTable({ series, bucket }: ThroughputTableProps) {
  const label = useBucketLabel(bucket);
  return (
    <section
      aria-label="Tasks over time, scrollable"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="relative max-h-80 overflow-auto"
    >
      <table className="w-full border-collapse">
        <thead className="sticky top-0 bg-bg">
          <tr>
            <th scope="col" className="h-8 pe-3 text-left font-medium text-muted text-xs">
              {bucket === 'hour' ? 'Hour' : 'Day'}
            </th>
            {STATUSES.map((status) => (
              <th
                key={status}
                scope="col"
                className="px-3 text-right font-medium text-muted text-xs last:pe-0"
              >
                {STATUS_LOOK[status].word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map((point) => (
            <tr key={point.at} className="h-8 border-line border-t">
              <th scope="row" className="whitespace-nowrap pe-3 text-left font-normal">
                {label(point.at, 'long')}
              </th>
              {STATUSES.map((status) => (
                <td key={status} className="tabular px-3 text-right last:pe-0">
                  {formatCount(point.counts[status])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
