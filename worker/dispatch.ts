import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@/lib/db/client';
import { buildRunInput, type RunSettings } from '@/lib/documents/run-input';
import type { Logger } from '@/lib/log';
import { type DocumentStore, INPUT_FILE } from '@/lib/platform/document-store/port';
import type { JobRunner, RunRequest, SubmitOutcome } from '@/lib/platform/job-runner/port';
import type { ClaimedTask } from '@/lib/queue/claim';
import { idempotencyToken, recordDispatch, recordFull, recordRefused } from '@/lib/queue/dispatch';
import { snoozeAttempt } from '@/lib/queue/snooze';
import { expectTrace } from '@/lib/usage/traces-due';

export interface DispatchDeps {
  readonly db: Db;
  readonly store: DocumentStore;
  readonly runner: JobRunner;
  readonly workerId: string;
  readonly environmentId: string;
  readonly settings: RunSettings;
  readonly log: Logger;
  /** Aborted when this worker drains: what is not submitted yet is given back. */
  readonly draining: AbortSignal;
}

/** What became of a claimed attempt; `unknown`: whoever takes its lease submits the same attempt again. */
export type Dispatched = 'running' | 'given_back' | 'refused' | 'stale' | 'unknown';

const TRIES = 3;

/**
 * Submits a claimed attempt and notes its run. Also for one whose claimer died in between: the runner knows the
 * attempt and gives the same run.
 */
export async function dispatchAttempt(deps: DispatchDeps, claimed: ClaimedTask): Promise<Dispatched> {
  const { db, runner, workerId } = deps;
  const { attemptId } = claimed;
  if (deps.draining.aborted) return giveBack(deps, attemptId, 0, 'worker stopped before dispatch');
  const built = await buildRunInput(deps, claimed);
  if (built.kind === 'refused') {
    await recordRefused(db, { attemptId, code: built.code, message: built.message, workerId });
    return 'refused';
  }
  // Before the run exists: whatever becomes of us, its trace will be looked for.
  if (built.input.tracing) await expectTrace(db, claimed);
  const inputPath = await deps.store.writeRunFile(attemptId, INPUT_FILE, JSON.stringify(built.input));
  const outcome = await submitPatiently(deps, {
    attemptId,
    idempotencyToken: idempotencyToken(deps.environmentId, attemptId),
    inputPath,
    maxRunSeconds: claimed.maxRunSeconds,
  });
  switch (outcome.kind) {
    case 'submitted': {
      const recorded = await recordDispatch(db, { attemptId, runId: outcome.runId, workerId });
      if (recorded === 'stale') await runner.cancel(outcome.runId);
      return recorded;
    }
    case 'full':
      return recordedFull(deps, attemptId, outcome);
    case 'refused':
      await recordRefused(db, { attemptId, code: outcome.code, message: outcome.message, workerId });
      return 'refused';
    case 'unknown':
      return 'unknown';
  }
}

async function recordedFull(
  { db, workerId, log }: DispatchDeps,
  attemptId: string,
  { retryAfterSeconds, everywhere = false, reason }: SubmitOutcome & { kind: 'full' },
): Promise<Dispatched> {
  if (reason !== undefined) log.warn({ attemptId, reason }, 'dispatch.runner_refuses');
  const recorded = await recordFull(db, { attemptId, retryAfterSeconds, everywhere, reason, workerId });
  return recorded === 'stale' ? 'stale' : 'given_back';
}

async function giveBack(
  deps: DispatchDeps,
  attemptId: string,
  delaySeconds: number,
  reason: string,
): Promise<Dispatched> {
  const { db, workerId } = deps;
  const snoozed = await snoozeAttempt(db, { attemptId, delaySeconds, reason, workerId });
  return snoozed === 'stale' ? 'stale' : 'given_back';
}

/** An exception leaves open whether the run began, so the same attempt is submitted again and never given back. */
async function submitPatiently(
  deps: DispatchDeps,
  request: RunRequest,
): Promise<SubmitOutcome | { readonly kind: 'unknown' }> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await deps.runner.submit(request);
    } catch (err) {
      deps.log.warn({ attemptId: request.attemptId, tries, err }, 'dispatch.outcome_unknown');
      if (tries >= TRIES || deps.draining.aborted) return { kind: 'unknown' };
      await delay(250 * 2 ** tries);
    }
  }
}
