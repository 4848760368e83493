'use client';

import type { ReactNode } from 'react';
import type { TaskDetail } from '@/lib/contract/api';
import { Duration } from '../../../_ui/duration';
import { Tokens } from '../../../_ui/tokens';
import { compareEstimate } from './compare-estimate';
import { whyNoActual } from './why-no-actual';

/** What was expected of a task beside what its last attempt took; nothing before it was inspected. */
export function EstimateTable({ task }: { readonly task: TaskDetail }) {
  if (task.estimatedTokens === null) return null;
  const { tokens, seconds } = compareEstimate(task);
  const none = whyNoActual(task.attempts);
  return (
    <table className="mt-4 w-full max-w-md text-sm">
      <caption className="sr-only">Estimate against actual</caption>
      <thead>
        <tr className="border-line border-b text-muted text-xs">
          <th scope="col" className="py-1 text-left font-medium">
            Of the last attempt
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            Estimated
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            Actual
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            Actual was
          </th>
        </tr>
      </thead>
      <tbody>
        <Line label="Tokens" difference={tokens.difference}>
          <Tokens count={tokens.estimated} why="Not inspected yet" />
          <Tokens count={tokens.actual} why={none} />
        </Line>
        <Line label="Run time" difference={seconds.difference}>
          <Duration seconds={seconds.estimated} why="Not estimated" />
          <Duration seconds={seconds.actual} why={none} />
        </Line>
      </tbody>
    </table>
  );
}

interface LineProps {
  readonly label: string;
  readonly difference: string | null;
  readonly children: [estimated: ReactNode, actual: ReactNode];
}

function Line({ label, difference, children: [estimated, actual] }: LineProps) {
  return (
    <tr className="border-line border-b">
      <th scope="row" className="py-1 text-left font-normal text-muted">
        {label}
      </th>
      <td className="py-1 text-right">{estimated}</td>
      <td className="py-1 text-right">{actual}</td>
      <td className="tabular py-1 text-right">{difference ?? <span className="text-muted">—</span>}</td>
    </tr>
  );
}
