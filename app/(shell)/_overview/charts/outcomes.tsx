'use client';

import { memo, useMemo } from 'react';
import type { Metrics } from '@/lib/contract/api-metrics';
import { everyBucket } from '../../../_charts/buckets';
import { CHART_HEIGHT, Chart } from '../../../_charts/chart';
import { Plot, StackedBars } from '../../../_charts/plot';
import { formatCount, formatShort } from '../../../_ui/format/count';
import { STATUS_LOOK, STATUSES, totalOf } from '../../../_ui/status';
import { bucketNote, useBucketLabel } from './use-bucket-label';

/** Final ones at the bottom of a bar, as in the segmented bar from the left. */
const STACK = (['completed', 'failed', 'cancelled', 'processing', 'enqueued'] as const).map((key) => ({
  key,
  label: STATUS_LOOK[key].word,
  color: STATUS_LOOK[key].color,
}));
const NONE = { enqueued: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 };

interface OutcomesProps {
  readonly series: Metrics['series'];
  readonly bucket: Metrics['bucket'];
  readonly timeZone: string;
}

/** How many tasks came, and what became of them. */
export const Outcomes = memo(function Outcomes({ series, bucket, timeZone }: OutcomesProps) {
  const nameOf = useBucketLabel(bucket, timeZone);
  const points = useMemo(
    () =>
      everyBucket(
        series.map(({ at, counts }) => ({ at, values: counts })),
        bucket,
        timeZone,
        (at) => ({ at, values: NONE }),
      ),
    [series, bucket, timeZone],
  );
  const rows = points.map(({ at, values }) => [
    nameOf(at, 'long'),
    formatCount(totalOf(values)),
    ...STATUSES.map((status) => formatCount(values[status])),
  ]);
  const title = 'Throughput and outcomes';
  return (
    <Chart
      title={title}
      note={`Tasks ${bucketNote(bucket, timeZone)} of their creation, by what became of them`}
      series={STACK}
      table={{
        columns: ['Created', 'Tasks', ...STATUSES.map((status) => STATUS_LOOK[status].word)],
        rows,
      }}
      empty={points.length === 0 ? 'No tasks in this range.' : null}
    >
      {(shown) => (
        <Plot>
          {(width) => (
            <StackedBars
              width={width}
              height={CHART_HEIGHT}
              title={title}
              points={points}
              series={shown}
              nameOf={nameOf}
              tick={formatShort}
              exact={(key, point) => formatCount(point.values[key] ?? 0)}
              whole
            />
          )}
        </Plot>
      )}
    </Chart>
  );
});
