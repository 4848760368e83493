'use client';

import { useMemo } from 'react';
import type { Metrics } from '@/lib/contract/api-metrics';
import { agentColors } from '../../../_charts/agent-colors';
import type { FilterOptions } from '../../../_filters/filter-bar';
import type { Filters } from '../../../_filters/use-filters';
import { ByAgent } from './by-agent';
import { Confidence, Latency } from './distributions';
import { Limits } from './limits';
import { Outcomes } from './outcomes';
import { Queue } from './queue';
import { usePaced } from './use-paced';

/** Drawing all charts costs a good part of a second's work on a small machine. */
const DRAW_EVERY_MS = 5_000;

interface ChartsProps {
  readonly metrics: Metrics;
  readonly filters: Filters;
  readonly options: FilterOptions;
}

/** What the figures say over time and spread out. */
export function Charts({ metrics, filters: { query, values }, options }: ChartsProps) {
  const drawn = usePaced(metrics, query, DRAW_EVERY_MS);
  const { agents } = options;
  const colorOf = useMemo(() => agentColors(agents.map(({ id }) => id)), [agents]);
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-2">
      <Outcomes series={drawn.series} bucket={drawn.bucket} timeZone={drawn.timeZone} />
      <Queue
        queue={drawn.queue}
        byExtraction={values.extraction.length > 0}
        byStatus={values.status.length > 0}
      />
      <ByAgent
        series={drawn.series}
        bucket={drawn.bucket}
        timeZone={drawn.timeZone}
        agents={agents}
        colorOf={colorOf}
      />
      <Limits only={values.agent} colorOf={colorOf} />
      <Latency
        bars={drawn.responseDistribution}
        median={drawn.medianResponseSeconds}
        p90={drawn.p90ResponseSeconds}
      />
      <Confidence bars={drawn.confidenceDistribution} median={drawn.confidence.median} />
    </div>
  );
}
