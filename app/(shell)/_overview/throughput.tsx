'use client';

import { useRef, useState } from 'react';
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import type { Metrics, MetricsPoint } from '@/lib/contract/api-metrics';
import { Button } from '../../_ui/button';
import { cn } from '../../_ui/cn';
import { formatCount, formatShort } from '../../_ui/format/count';
import { STATUS_LOOK, STATUSES } from '../../_ui/status';
import { useFrameSize } from '../../_ui/use-frame-size';
import { ThroughputTable } from './throughput-table';
import { useBucketLabel } from './use-bucket-label';

/** Final ones at the bottom of a bar, as in the segmented bar from the left. */
const STACK = ['completed', 'failed', 'cancelled', 'processing', 'enqueued'] as const;
const HEIGHT = 240;

interface ThroughputProps {
  readonly series: Metrics['series'];
  readonly bucket: Metrics['bucket'];
}

/** Tasks by the hour or day in which they were created, and what became of them. */
export function Throughput({ series, bucket }: ThroughputProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <section aria-labelledby="throughput">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="throughput" className="font-medium text-lg">
          Tasks by {bucket} of creation
        </h2>
        <Button size="sm" variant="ghost" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
      {asTable ? (
        <ThroughputTable series={series} bucket={bucket} />
      ) : (
        <ThroughputChart series={series} bucket={bucket} />
      )}
    </section>
  );
}

function ThroughputChart({ series, bucket }: ThroughputProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useFrameSize(frame);
  const label = useBucketLabel(bucket);
  const data = series.map((point) => ({ at: point.at, ...point.counts }));
  return (
    <figure>
      <div ref={frame} className="w-full overflow-hidden" style={{ height: HEIGHT }}>
        {width > 0 && (
          <BarChart
            width={width}
            height={HEIGHT}
            data={data}
            margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
            barCategoryGap="18%"
            title={`Tasks by ${bucket}; the table has the same numbers`}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="at"
              tickFormatter={(at: string) => label(at, 'short')}
              tick={{ fill: 'var(--muted)', fontSize: 12 }}
              tickLine={false}
              axisLine={{ stroke: 'var(--line)' }}
              minTickGap={32}
            />
            <YAxis
              width={40}
              allowDecimals={false}
              tickFormatter={(value: number) => formatShort(value)}
              tick={{ fill: 'var(--muted)', fontSize: 12 }}
              tickLine={false}
              axisLine={false}
            />
            <Tooltip
              cursor={{ fill: 'var(--hover)' }}
              isAnimationActive={false}
              content={({ payload }) => {
                const point = payload?.[0]?.payload as ({ at: string } & MetricsPoint['counts']) | undefined;
                return point ? <PointCard counts={point} title={label(point.at, 'long')} /> : null;
              }}
            />
            {STACK.map((status) => (
              <Bar
                key={status}
                dataKey={status}
                stackId="tasks"
                fill={STATUS_LOOK[status].color}
                fillOpacity={status === 'enqueued' ? 0.55 : 1}
                maxBarSize={36}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        )}
      </div>
      <figcaption className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-muted text-sm">
        {STATUSES.map((status) => (
          <span key={status} className="flex items-center gap-1.5">
            <span
              aria-hidden
              className={cn(
                'size-2.5 rounded-sm',
                STATUS_LOOK[status].fill,
                status === 'enqueued' && 'opacity-55',
              )}
            />
            {STATUS_LOOK[status].word}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function PointCard({ counts, title }: { readonly counts: MetricsPoint['counts']; readonly title: string }) {
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-float">
      <p className="mb-1 font-medium">{title}</p>
      {STATUSES.filter((status) => counts[status] > 0).map((status) => (
        <p key={status} className="flex justify-between gap-6">
          <span className="text-muted">{STATUS_LOOK[status].word}</span>
          <span className="tabular">{formatCount(counts[status])}</span>
        </p>
      ))}
    </div>
  );
}
