'use client';

import type { ReactNode } from 'react';
import type { Attempt, AttemptStatus, TaskDetail, TaskStatus } from '@/lib/contract/api';
import { ERROR_CODES, isErrorCode } from '@/lib/contract/error-codes';
import { explainError } from '../../../_ui/explain-error';
import { modelWords } from '../../../_ui/model-words';
import { Money } from '../../../_ui/money';
import { StatusBadge } from '../../../_ui/status-badge';
import { Time } from '../../../_ui/time';
import { Tokens } from '../../../_ui/tokens';
import { useNow } from '../../../_ui/use-now';
import { phasesOf } from './attempt-phases';
import { CallbackList } from './callback-list';
import { CopyButton } from './copyable';
import { PhaseBar } from './phase-bar';
import { TraceNote } from './trace-note';

/** An attempt's state in the colours of the status that it leads to. */
const ATTEMPT_LOOK: Record<AttemptStatus, { status: TaskStatus; word: string }> = {
  claimed: { status: 'processing', word: 'Claimed' },
  running: { status: 'processing', word: 'Running' },
  succeeded: { status: 'completed', word: 'Succeeded' },
  failed: { status: 'failed', word: 'Failed' },
  cancelled: { status: 'cancelled', word: 'Cancelled' },
  lost: { status: 'failed', word: 'Lost' },
  snoozed: { status: 'enqueued', word: 'Given back, not counted' },
  superseded: { status: 'cancelled', word: 'Superseded' },
};

/** Seconds go by only where a phase is not over. */
const TICK_MS = 1_000;
const NEVER_MS = 2 ** 31 - 1;

/** One execution: its phases, what it used and cost, what was heard of it, why it failed. */
export function AttemptCard({ task, attempt }: { readonly task: TaskDetail; readonly attempt: Attempt }) {
  const look = ATTEMPT_LOOK[attempt.status];
  const isOver =
    attempt.finishedAt !== null && (attempt.status !== 'superseded' || attempt.runStoppedAt !== null);
  const now = useNow(isOver ? NEVER_MS : TICK_MS);
  return (
    <li className="rounded-md border border-line bg-surface px-4 py-3">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex flex-wrap items-center gap-x-3">
          <span className="tabular font-medium">Attempt {attempt.number}</span>
          <StatusBadge status={look.status} word={look.word} className="text-sm" />
          {attempt.waste && (
            <span
              className="rounded-sm border border-line-strong border-dashed px-1.5 text-muted text-xs"
              title="Its cost bought no result"
            >
              waste
            </span>
          )}
        </span>
        <Time at={attempt.claimedAt} detail="second" className="text-muted text-sm" />
      </p>
      <AttemptError attempt={attempt} />
      <PhaseBar phases={phasesOf(task, attempt, now)} />
      <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        <Fact label="Input tokens">
          <Tokens count={attempt.inputTokens} />
          {attempt.cachedInputTokens ? (
            <span className="text-muted text-xs">
              {' '}
              <Tokens count={attempt.cachedInputTokens} /> cached
            </span>
          ) : null}
        </Fact>
        <Fact label="Output tokens">
          <Tokens count={attempt.outputTokens} />
        </Fact>
        <Fact label="LLM cost">
          <Money usd={attempt.llmCostUsd} why={costUnknown(attempt)} notional={attempt.notionalPrice} />
        </Fact>
        <Fact label="Compute cost">
          <Money usd={attempt.computeCostUsd} why="Not known yet" />
        </Fact>
      </dl>
      {attempt.trace && <TraceNote trace={attempt.trace} notional={attempt.notionalPrice} />}
      <CallbackList attempt={attempt} />
      <dl className="mt-2.5 flex flex-col gap-0.5 text-muted text-xs">
        {attempt.model && <Id label="Model" value={modelWords(attempt.model)} />}
        {attempt.runId && <Id label="Run" value={attempt.runId} copy="the run’s id" />}
        {attempt.traceId && <Id label="Trace" value={attempt.traceId} copy="the trace’s id" />}
        <Id label="Worker" value={attempt.claimedBy} />
      </dl>
    </li>
  );
}

/** What went wrong and what can be done, said of this attempt: others may have followed it. */
function AttemptError({ attempt: { errorCode, errorMessage } }: { readonly attempt: Attempt }) {
  if (!errorCode) return null;
  const advice = isErrorCode(errorCode) ? ERROR_CODES[errorCode].advice : null;
  return (
    <div className="mt-1.5 text-sm">
      <p>
        {explainError(errorCode, errorMessage).title}{' '}
        <code className="font-mono text-muted text-xs">{errorCode}</code>
      </p>
      {errorMessage && <p className="break-words text-muted">{errorMessage}</p>}
      {advice && advice !== errorMessage && <p className="text-muted">{advice}</p>}
    </div>
  );
}

function costUnknown(attempt: Attempt): string {
  return attempt.inputTokens === null
    ? 'Nothing has been reported yet'
    : 'The model has no price in the price table';
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}

interface IdProps {
  readonly label: string;
  readonly value: string;
  /** What is copied, for an id that is looked up elsewhere. */
  readonly copy?: string;
}

function Id({ label, value, copy }: IdProps) {
  return (
    <div className="flex min-w-0 gap-2">
      <dt className="w-12 shrink-0">{label}</dt>
      <dd className={copy ? 'min-w-0 break-all font-mono' : 'min-w-0 break-all'}>
        {value}
        {copy && (
          <>
            {' '}
            <CopyButton text={value} what={copy} />
          </>
        )}
      </dd>
    </div>
  );
}
