'use client';

import type { ReactNode } from 'react';
import type { Metrics } from '@/lib/contract/api-metrics';
import { Duration } from '../../_ui/duration';
import { formatCount, formatPercent } from '../../_ui/format/count';
import { Money } from '../../_ui/money';
import { Tokens } from '../../_ui/tokens';
import { Unknown } from '../../_ui/unknown';

/** A row of figures with what belongs to each in small. */
export function Figures({ metrics }: { readonly metrics: Metrics }) {
  const { confidence, counts, unpricedAttempts } = metrics;
  return (
    <section aria-label="Figures" className="mb-8 border-line border-y">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 py-5 sm:grid-cols-3 xl:grid-cols-6">
        <Figure label="Input tokens">
          <Tokens count={metrics.inputTokens} />
        </Figure>
        <Figure label="Output tokens">
          <Tokens count={metrics.outputTokens} />
        </Figure>
        <Figure
          label="LLM cost"
          note={
            unpricedAttempts > 0 ? (
              `without ${formatCount(unpricedAttempts)} unpriced attempts`
            ) : (
              <>
                <Money usd={metrics.wasteUsd} /> of it waste
              </>
            )
          }
        >
          <Money usd={metrics.llmCostUsd} why="Nothing with a known price has been used yet" />
        </Figure>
        <Figure label="Compute cost" note={metrics.computeCostEstimateUsd === null ? undefined : 'estimate'}>
          <Money usd={metrics.computeCostEstimateUsd} why="No rate for compute is set" />
        </Figure>
        <Figure label="Median response" note={`over ${formatCount(counts.completed)} completed`}>
          <Duration seconds={metrics.medianResponseSeconds} why="No task has completed yet" />
        </Figure>
        <Figure
          label="Confidence, mean"
          note={confidence.p10 === null ? undefined : `9 of 10 above ${formatPercent(confidence.p10)}`}
        >
          {confidence.mean === null ? (
            <Unknown why="No completed task has a confidence yet" />
          ) : (
            <span className="tabular" title={confidence.mean.toFixed(4)}>
              {formatPercent(confidence.mean)}
            </span>
          )}
        </Figure>
      </dl>
    </section>
  );
}

interface FigureProps {
  readonly label: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

function Figure({ label, note, children }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="mt-0.5 font-semibold text-xl tracking-tight">{children}</dd>
      {note && <dd className="text-muted text-xs">{note}</dd>}
    </div>
  );
}
