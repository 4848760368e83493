'use client';

import { memo, useMemo, useState } from 'react';
import type { Metrics, MetricsPoint } from '@/lib/contract/api-metrics';
import { everyBucket } from '../../../_charts/buckets';
import { CHART_HEIGHT, Chart, type Series } from '../../../_charts/chart';
import { Plot, StackedBars } from '../../../_charts/plot';
import { formatCount, formatShort } from '../../../_ui/format/count';
import { exactUsd, formatUsd } from '../../../_ui/format/money';
import { Select } from '../../../_ui/input';
import { bucketNote, useBucketLabel } from './use-bucket-label';

type AgentPart = MetricsPoint['agents'][number];

const MEASURES = {
  cost: {
    word: 'LLM cost',
    unit: 'US dollars',
    value: (part: AgentPart) => Number(part.llmCostUsd),
    exact: (part: AgentPart) => formatUsd(part.llmCostUsd),
    full: (part: AgentPart) => exactUsd(part.llmCostUsd),
    tick: (value: number) => (value === 0 ? '$0' : formatUsd(String(Number(value.toPrecision(6))))),
  },
  input: {
    word: 'Input tokens',
    unit: 'Tokens',
    value: (part: AgentPart) => part.inputTokens,
    exact: (part: AgentPart) => formatCount(part.inputTokens),
    full: (part: AgentPart) => formatCount(part.inputTokens),
    tick: formatShort,
  },
  output: {
    word: 'Output tokens',
    unit: 'Tokens',
    value: (part: AgentPart) => part.outputTokens,
    exact: (part: AgentPart) => formatCount(part.outputTokens),
    full: (part: AgentPart) => formatCount(part.outputTokens),
    tick: formatShort,
  },
} as const;
type Measure = keyof typeof MEASURES;

interface ByAgentProps {
  readonly series: Metrics['series'];
  readonly bucket: Metrics['bucket'];
  readonly timeZone: string;
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly colorOf: (id: string) => string;
}

/** What was used over time, by agent. */
export const ByAgent = memo(function ByAgent({ series, bucket, timeZone, agents, colorOf }: ByAgentProps) {
  const [chosen, setChosen] = useState<Measure>('cost');
  const measure = MEASURES[chosen];
  const nameOf = useBucketLabel(bucket, timeZone);
  const points = useMemo(
    () => pointsOf(series, bucket, timeZone, measure.value),
    [series, bucket, timeZone, measure],
  );
  const legend = useMemo(() => legendOf(series, agents, colorOf), [series, agents, colorOf]);
  const cell = (at: string, key: string, how: 'exact' | 'full') => {
    const part = partOf(series, at, key);
    return part ? measure[how](part) : '0';
  };
  const title = 'Tokens and cost by agent';
  return (
    <Chart
      title={title}
      note={`${measure.word}, ${measure.unit}, of the tasks ${bucketNote(bucket, timeZone)} of their creation`}
      series={legend}
      table={{
        columns: ['Created', ...legend.map(({ label }) => label)],
        rows: points.map(({ at }) => [nameOf(at, 'long'), ...legend.map(({ key }) => cell(at, key, 'full'))]),
      }}
      empty={legend.length === 0 ? 'Nothing was used in this range yet.' : null}
      actions={
        <Select
          aria-label="What is shown by agent"
          value={chosen}
          onChange={(event) => setChosen(event.target.value as Measure)}
          className="h-7 w-36 text-sm"
        >
          {Object.entries(MEASURES).map(([key, { word }]) => (
            <option key={key} value={key}>
              {word}
            </option>
          ))}
        </Select>
      }
    >
      {(shown) => (
        <Plot>
          {(width) => (
            <StackedBars
              width={width}
              height={CHART_HEIGHT}
              title={`${title}: ${measure.word}`}
              points={points}
              series={shown}
              nameOf={nameOf}
              tick={measure.tick}
              exact={(key, { at }) => cell(at, key, 'exact')}
            />
          )}
        </Plot>
      )}
    </Chart>
  );
});

function pointsOf(
  series: Metrics['series'],
  bucket: Metrics['bucket'],
  timeZone: string,
  value: (part: AgentPart) => number,
) {
  return everyBucket(
    series.map(({ at, agents }) => ({
      at,
      values: Object.fromEntries(agents.map((part) => [part.agent, value(part)])),
    })),
    bucket,
    timeZone,
    (at) => ({ at, values: {} }),
  );
}

/** Agents that used anything at all, under their names. */
function legendOf(
  series: Metrics['series'],
  agents: ByAgentProps['agents'],
  colorOf: (id: string) => string,
): Series[] {
  const seen = new Set(series.flatMap((point) => point.agents.map(({ agent }) => agent)));
  return [...seen].sort().map((id) => ({
    key: id,
    label: agents.find((agent) => agent.id === id)?.name ?? id,
    color: colorOf(id),
  }));
}

function partOf(series: Metrics['series'], at: string, agent: string): AgentPart | undefined {
  const time = Date.parse(at);
  const point = series.find((one) => Date.parse(one.at) === time);
  return point?.agents.find((part) => part.agent === agent);
}
