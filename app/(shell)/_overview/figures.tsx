'use client';

import { type ReactNode, useState } from 'react';
import type { MetricsFilters } from '@/lib/api-client/queries';
import type { Metrics } from '@/lib/contract/api-metrics';
import { cn } from '../../_ui/cn';
import { Duration } from '../../_ui/duration';
import { formatCount, formatPercent } from '../../_ui/format/count';
import { formatSeconds } from '../../_ui/format/duration';
import { formatInstant } from '../../_ui/format/instant';
import { formatUsd } from '../../_ui/format/money';
import { Money } from '../../_ui/money';
import { Tokens } from '../../_ui/tokens';
import { Unknown } from '../../_ui/unknown';
import { useTimeZone } from '../../_ui/viewer';
import { changeBetween } from './change';
import { ComputeCost } from './compute-cost';
import { ExactButton } from './exact-button';
import { Figure } from './figure';
import { populations, unpricedWords } from './population';
import type { Question } from './questions';

interface FiguresProps {
  readonly metrics: Metrics;
  readonly query: MetricsFilters;
  /** Medians and percentiles from the rows; null: those of `metrics` are as good, or nobody asked. */
  readonly exact: Metrics | null;
  readonly onExact: () => void;
  readonly exactPending: boolean;
  readonly question: Question | null;
  readonly now: number;
}

/** A row of figures with what belongs to each in small, and its change against the period before. */
export function Figures(props: FiguresProps) {
  const { metrics, query, exact, onExact, exactPending, question, now } = props;
  const { previous, confidence } = metrics;
  const zone = useTimeZone();
  // Of the exact answer only what would otherwise be near: everything else runs on.
  const middle = exact ?? metrics;
  const count = (value: number | undefined) => (value === undefined ? undefined : formatCount(value));
  return (
    <section aria-label="Figures" className="mb-6 border-line border-t pt-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-7 xl:gap-x-4">
        <Figure
          label="Input tokens"
          change={changeBetween(metrics.inputTokens, previous?.inputTokens ?? null)}
          before={count(previous?.inputTokens)}
        >
          <Tokens count={metrics.inputTokens} />
        </Figure>
        <Figure
          label="Output tokens"
          change={changeBetween(metrics.outputTokens, previous?.outputTokens ?? null)}
          before={count(previous?.outputTokens)}
        >
          <Tokens count={metrics.outputTokens} />
        </Figure>
        <Figure
          label="LLM cost"
          asked={question?.kind === 'failed-cost'}
          change={changeBetween(metrics.llmCostUsd, previous?.llmCostUsd ?? null)}
          before={previous?.llmCostUsd ? formatUsd(previous.llmCostUsd) : undefined}
          note={<CostNote metrics={metrics} />}
        >
          <Money usd={metrics.llmCostUsd} why="Nothing with a known price has been used yet" />
        </Figure>
        <ComputeCost metrics={metrics} query={query} asked={question?.kind === 'failed-cost'} />
        <Response metrics={metrics} middle={middle} near={metrics.approximate && !exact} />
        <Figure
          label="Median spend per task"
          asked={question?.kind === 'median-spend'}
          change={changeBetween(middle.medianCostUsd, previous?.medianCostUsd ?? null)}
          before={previous?.medianCostUsd ? formatUsd(previous.medianCostUsd) : undefined}
          note={
            middle.p90CostUsd !== null && (
              <span>
                9 of 10 within <Money usd={middle.p90CostUsd} />
              </span>
            )
          }
        >
          <Near near={metrics.approximate && !exact && middle.medianCostUsd !== null}>
            <Money usd={middle.medianCostUsd} why="No task of these has a cost yet" />
          </Near>
        </Figure>
        <Figure
          label="Confidence, mean"
          change={changeBetween(confidence.mean, previous?.confidence.mean ?? null)}
          before={previous?.confidence.mean == null ? undefined : formatPercent(previous.confidence.mean)}
          note={middle.confidence.p10 !== null && `9 of 10 above ${formatPercent(middle.confidence.p10)}`}
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
      <p className="mt-3 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
        <span>{populations(metrics)}</span>
        {previous && (
          <span>
            Changes are against {formatInstant(previous.from, zone, new Date(now))} –{' '}
            {formatInstant(previous.to, zone, new Date(now))}.
          </span>
        )}
        <ExactButton
          approximate={metrics.approximate}
          exactAsOf={exact?.asOf ?? null}
          pending={exactPending}
          onClick={onExact}
        />
      </p>
    </section>
  );
}

function CostNote({ metrics }: { readonly metrics: Metrics }) {
  const { unpricedAttempts, wasteUsd } = metrics;
  if (unpricedAttempts > 0) return <span>{unpricedWords(unpricedAttempts)}</span>;
  return (
    <span>
      <Money usd={wasteUsd} /> of it waste
    </span>
  );
}

interface ResponseProps {
  readonly metrics: Metrics;
  readonly middle: Metrics;
  readonly near: boolean;
}

/** The median, and nine tenths when somebody asks. */
function Response({ metrics, middle, near }: ResponseProps) {
  const [withP90, setWithP90] = useState(false);
  const { medianResponseSeconds: median, p90ResponseSeconds: p90 } = middle;
  const before = metrics.previous?.medianResponseSeconds ?? null;
  return (
    <Figure
      label="Median response"
      change={changeBetween(median, before)}
      before={before === null ? undefined : formatSeconds(before)}
      note={
        p90 !== null && (
          <button
            type="button"
            aria-expanded={withP90}
            onClick={() => setWithP90(!withP90)}
            className={cn('rounded-sm hover:text-text', !withP90 && 'underline underline-offset-2')}
          >
            {withP90 ? `9 of 10 within ${formatSeconds(p90)}` : 'Show p90'}
          </button>
        )
      }
    >
      <Near near={near && median !== null}>
        <Duration seconds={median} why="No task of these has completed yet" />
      </Near>
    </Figure>
  );
}

function Near({ near, children }: { readonly near: boolean; readonly children: ReactNode }) {
  return (
    <>
      {near && (
        <span className="font-normal text-muted" title="From histograms, within 2 %">
          <span aria-hidden>≈{'\u202f'}</span>
          <span className="sr-only">about </span>
        </span>
      )}
      {children}
    </>
  );
}
