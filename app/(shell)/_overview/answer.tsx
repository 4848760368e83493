'use client';

import type { ReactNode } from 'react';
import type { Metrics } from '@/lib/contract/api-metrics';
import { formatCount } from '../../_ui/format/count';
import { Money } from '../../_ui/money';
import { costPopulation } from './population';
import type { Question } from './questions';

interface AnswerProps {
  readonly question: Question;
  readonly metrics: Metrics;
  /** Its medians, from the rows; null: nobody asked. */
  readonly exact: Metrics | null;
  readonly agents: readonly { readonly id: string; readonly name: string }[];
}

/** The answer in one sentence. */
export function Answer({ question, metrics, exact, agents }: AnswerProps) {
  if (question.kind === 'failed-cost') {
    const failed = metrics.counts.failed;
    return (
      <Sentence>
        {failed === 0 ? 'No task' : `${formatCount(failed)} ${failed === 1 ? 'task' : 'tasks'}`} created in
        the last 7 days failed
        {failed > 0 && (
          <>
            , and cost <Money usd={metrics.llmCostUsd} why="None of their attempts has a price" /> in model
            calls
            {metrics.computeCostEstimateUsd !== null && (
              <>
                {' '}
                and about <Money usd={metrics.computeCostEstimateUsd} /> in compute
              </>
            )}
          </>
        )}
        .
      </Sentence>
    );
  }
  const name = agents.find(({ id }) => id === question.agent)?.name ?? question.agent;
  const median = (exact ?? metrics).medianCostUsd;
  return (
    <Sentence>
      {median === null ? (
        `No task of ${name} created this month has a cost yet.`
      ) : (
        <>
          The median spend per task of {name} this month is {metrics.approximate && !exact && 'about '}
          <Money usd={median} />, over {costPopulation(exact ?? metrics)}.
        </>
      )}
    </Sentence>
  );
}

function Sentence({ children }: { readonly children: ReactNode }) {
  return (
    <p role="status" className="mb-5 border-accent border-s-2 ps-3 text-lg">
      {children}
    </p>
  );
}
