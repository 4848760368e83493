'use client';

import { memo, useMemo } from 'react';
import type { Metrics } from '@/lib/contract/api-metrics';
import { CHART_HEIGHT, Chart } from '../../../_charts/chart';
import { Area, Plot } from '../../../_charts/plot';
import { formatCount, formatShort } from '../../../_ui/format/count';
import { formatSeconds } from '../../../_ui/format/duration';
import { formatInstant } from '../../../_ui/format/instant';
import { useTimeZone, useViewer } from '../../../_ui/viewer';

const DEPTH = [
  { key: 'waiting', label: 'Waiting', color: 'var(--enqueued)' },
  { key: 'inFlight', label: 'In flight', color: 'var(--processing)' },
];
const AGE = { key: 'oldest', label: 'Age of the oldest waiting', color: 'var(--muted)' };
const AGE_HEIGHT = 92;
const DAY_MS = 86_400_000;

interface QueueProps {
  readonly queue: Metrics['queue'];
  /** What is filtered by and says nothing here. */
  readonly byExtraction: boolean;
  readonly byStatus: boolean;
}

/** How many tasks waited and how many were in flight, and how long the oldest had waited. */
export const Queue = memo(function Queue({ queue, byExtraction, byStatus }: QueueProps) {
  const zone = useTimeZone();
  const { renderedAt } = useViewer();
  const points = useMemo(
    () =>
      queue.map(({ at, waiting, inFlight, oldestSeconds }) => ({
        at: Date.parse(at),
        values: { waiting, inFlight, oldest: oldestSeconds },
      })),
    [queue],
  );
  const long = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0) > 2 * DAY_MS;
  const nameOf = (at: number, length: 'short' | 'long') => {
    const full = formatInstant(new Date(at).toISOString(), zone, new Date(renderedAt));
    if (length === 'long') return full;
    return (long ? full.split(',')[0] : full.split(', ')[1]) ?? full;
  };
  const title = 'Queue depth and age';
  return (
    <Chart
      title={title}
      note={`Above: tasks waiting and in flight. Below: age of the oldest that waits. Looked at each minute; over a long time the fullest moments are shown${byStatus ? '. Whatever the status filter says' : ''}`}
      series={[...DEPTH, AGE]}
      table={{
        columns: ['Time', 'Waiting', 'In flight', 'Oldest'],
        rows: queue.map((point) => [
          nameOf(Date.parse(point.at), 'long'),
          formatCount(point.waiting),
          formatCount(point.inFlight),
          formatSeconds(point.oldestSeconds),
        ]),
      }}
      empty={emptyWords(queue.length, byExtraction)}
    >
      {(shown) => (
        <Plot>
          {(width) => (
            <>
              <Area
                width={width}
                height={CHART_HEIGHT - AGE_HEIGHT}
                title={`${title}: tasks`}
                points={points}
                series={shown.filter(({ key }) => key !== AGE.key)}
                nameOf={nameOf}
                tick={formatShort}
                syncId="queue"
                withAxis={false}
              />
              <Area
                width={width}
                height={AGE_HEIGHT}
                title={`${title}: age of the oldest`}
                points={points}
                series={shown.filter(({ key }) => key === AGE.key)}
                nameOf={nameOf}
                tick={formatSeconds}
                syncId="queue"
                withAxis
              />
            </>
          )}
        </Plot>
      )}
    </Chart>
  );
});

function emptyWords(points: number, byExtraction: boolean): string | null {
  if (points > 0) return null;
  return byExtraction
    ? 'The queue is looked at per agent and client, not per extraction.'
    : 'The queue has not been looked at in this range yet. It is, each minute.';
}
