'use client';

import type { ReactNode } from 'react';
import type { Attempt, AttemptStatus, TaskStatus } from '@/lib/contract/api';
import { Duration } from '../../../_ui/duration';
import { explainError } from '../../../_ui/explain-error';
import { modelWords } from '../../../_ui/model-words';
import { Money } from '../../../_ui/money';
import { StatusBadge } from '../../../_ui/status-badge';
import { Time } from '../../../_ui/time';
import { Tokens } from '../../../_ui/tokens';

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

export function AttemptCard({ attempt }: { readonly attempt: Attempt }) {
  const look = ATTEMPT_LOOK[attempt.status];
  const error = attempt.errorCode ? explainError(attempt.errorCode, attempt.errorMessage) : null;
  return (
    <li className="rounded-md border border-line bg-surface px-4 py-3">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex items-center gap-3">
          <span className="tabular font-medium">Attempt {attempt.number}</span>
          <StatusBadge status={look.status} word={look.word} className="text-sm" />
          {attempt.waste && (
            <span
              className="rounded-sm bg-sunken px-1.5 text-muted text-xs"
              title="Its cost bought no result"
            >
              waste
            </span>
          )}
        </span>
        <Time at={attempt.claimedAt} detail="second" className="text-muted text-sm" />
      </p>
      {error && (
        <p className="mt-1 text-sm">
          {error.title}
          {attempt.errorMessage && (
            <span className="block break-words text-muted">{attempt.errorMessage}</span>
          )}
        </p>
      )}
      <dl className="mt-2.5 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        <Fact label="Until dispatch">
          <Duration
            seconds={between(attempt.claimedAt, attempt.dispatchedAt)}
            why="It was not handed to the runner, or not yet"
          />
        </Fact>
        <Fact label="Run">
          <Duration seconds={between(attempt.dispatchedAt, attempt.finishedAt)} why="It has not ended yet" />
        </Fact>
        <Fact label="Tokens in / out">
          <Tokens count={attempt.inputTokens} /> / <Tokens count={attempt.outputTokens} />
        </Fact>
        <Fact label="LLM cost">
          <Money usd={attempt.llmCostUsd} why={costUnknown(attempt)} notional={attempt.notionalPrice} />
        </Fact>
      </dl>
      <dl className="mt-2.5 flex flex-col gap-0.5 text-muted text-xs">
        {attempt.model && <Id label="Model" value={modelWords(attempt.model)} />}
        {attempt.runId && <Id label="Run" value={attempt.runId} mono />}
        {attempt.traceId && <Id label="Trace" value={attempt.traceId} mono />}
      </dl>
    </li>
  );
}

function between(from: string | null, to: string | null): number | null {
  return from && to ? Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000) : null;
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

function Id({ label, value, mono }: { label: string; value: string; mono?: boolean }) {
  return (
    <div className="flex min-w-0 gap-2">
      <dt className="w-12 shrink-0">{label}</dt>
      <dd className={mono ? 'min-w-0 break-all font-mono' : 'min-w-0'}>{value}</dd>
    </div>
  );
}
