'use client';

import { memo, type ReactNode } from 'react';
import type { DistributionBar, Metrics } from '@/lib/contract/api-metrics';
import { CHART_HEIGHT, Chart } from '../../../_charts/chart';
import { Histogram, Plot } from '../../../_charts/plot';
import { ConfidenceHelp } from '../../../_ui/confidence-help';
import { formatCount, formatPercent, formatShort } from '../../../_ui/format/count';
import { formatSeconds } from '../../../_ui/format/duration';

interface Mark {
  readonly label: string;
  readonly value: number | null;
}

interface DistributionProps {
  readonly title: string;
  readonly note: string;
  readonly bars: readonly DistributionBar[];
  readonly edge: (value: number) => string;
  readonly marks: readonly Mark[];
  readonly empty: string;
  readonly actions?: ReactNode;
}

function Distribution({ title, note, bars, edge, marks, empty, actions }: DistributionProps) {
  const known = marks.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }]));
  return (
    <Chart
      title={title}
      note={note}
      actions={actions}
      table={{
        columns: ['From', 'To', 'Tasks'],
        rows: bars.map(({ from, to, count }) => [edge(from), edge(to), formatCount(count)]),
      }}
      empty={bars.every(({ count }) => count === 0) ? empty : null}
    >
      {() => (
        <Plot>
          {(width) => (
            <Histogram
              width={width}
              height={CHART_HEIGHT}
              title={title}
              bars={bars}
              color="var(--completed)"
              edge={edge}
              count={formatShort}
              marks={known}
            />
          )}
        </Plot>
      )}
    </Chart>
  );
}

interface LatencyProps {
  readonly bars: Metrics['responseDistribution'];
  readonly median: number | null;
  readonly p90: number | null;
}

/** How long tasks took from their creation to their completion. */
export const Latency = memo(function Latency({ bars, median, p90 }: LatencyProps) {
  return (
    <Distribution
      title="Response time"
      note="Completed tasks by the time from creation to completion; bars grow by a factor"
      bars={bars}
      edge={formatSeconds}
      marks={[
        { label: 'median', value: median },
        { label: 'p90', value: p90 },
      ]}
      empty="No task of these has completed yet."
    />
  );
});

interface ConfidenceProps {
  readonly bars: Metrics['confidenceDistribution'];
  readonly median: number | null;
}

/** How sure the results are. */
export const Confidence = memo(function Confidence({ bars, median }: ConfidenceProps) {
  return (
    <Distribution
      title="Confidence"
      note="Results by the confidence of the whole document, in steps of 5 %"
      bars={bars}
      edge={formatPercent}
      marks={[{ label: 'median', value: median }]}
      empty="No result of these has a confidence yet."
      actions={<ConfidenceHelp />}
    />
  );
});
