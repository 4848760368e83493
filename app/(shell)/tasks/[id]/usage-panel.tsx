'use client';

import Big from 'big.js';
import type { ReactNode } from 'react';
import type { TaskDetail } from '@/lib/contract/api';
import { Duration } from '../../../_ui/duration';
import { Money } from '../../../_ui/money';
import { Tokens } from '../../../_ui/tokens';
import { EstimateTable } from './estimate-table';

/** What the task took: time, tokens and money, over all its attempts. */
export function UsagePanel({ task }: { readonly task: TaskDetail }) {
  const notional = task.attempts.some((attempt) => attempt.notionalPrice);
  const waste = task.attempts
    .filter((attempt) => attempt.waste && attempt.llmCostUsd)
    .reduce((sum, attempt) => sum.plus(attempt.llmCostUsd ?? '0'), new Big(0));
  return (
    <section aria-labelledby="usage" className="border-line border-t pt-4">
      <h2 id="usage" className="sr-only">
        Usage and cost
      </h2>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
        <Figure label="Response time">
          <Duration seconds={task.responseSeconds} why="Only a completed task has one" />
        </Figure>
        <Figure label="Input tokens">
          <Tokens count={task.inputTokens} />
        </Figure>
        <Figure label="Output tokens">
          <Tokens count={task.outputTokens} />
        </Figure>
        <Figure label="LLM cost">
          <Money usd={task.llmCostUsd} why="Nothing with a known price has been used" notional={notional} />
        </Figure>
      </dl>
      <EstimateTable task={task} />
      <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-muted text-sm">
        {waste.gt(0) && (
          <span>
            <Money usd={waste.toFixed()} /> of it waste: attempts that bought no result
          </span>
        )}
        <span>
          Compute <Money usd={task.computeCostUsd} why="Not known yet" />
        </span>
      </p>
    </section>
  );
}

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="tabular font-medium text-lg">{children}</dd>
    </div>
  );
}
