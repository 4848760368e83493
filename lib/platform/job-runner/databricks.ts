import type { CallClock } from '@/lib/databricks/call-clock';
import type { JobRun, LakeflowJob } from '@/lib/databricks/jobs';
import { WorkspaceError } from '@/lib/databricks/workspace-error';
import { type ActiveRuns, createActiveRuns } from './active-runs';
import { createMissingRuns, saysUnknown } from './missing-runs';
import type { AliveRun, BegunWithin, JobRunner, RunStatus, SubmitOutcome } from './port';
import { meaningOfEnd } from './termination-codes';

export interface LakeflowRunnerOptions {
  readonly job: LakeflowJob;
  /** Runs of other environments on the same job, of a copied database say, are none of ours. */
  readonly environmentId: string;
  readonly clock: CallClock;
}

/** Jobs API 2.2, `idempotency_token`. */
const MAX_TOKEN_LENGTH = 64;
/** Submitted at once: two seconds' worth of what run-now allows. */
const BATCH = 30;
/** Up to so many runs are asked about one by one instead of through the list. */
const FEW_RUNS = 10;
/** Asked about one by one in one go; the rest next time. */
const MOST_ASKED = 500;
/** A cancel is asynchronous; asked again only when it seems to be lost. */
const CANCEL_AGAIN_MS = 15_000;
const JOB_SETTINGS_MS = 60_000;
/** Somebody has to mend a grant or the job first. */
const REFUSED_RETRY_SECONDS = 30;

/**
 * Runs of one Lakeflow job. The idempotency token makes the same attempt the same run; it is also the job parameter
 * `attempt`, by which a run is known in lists. The job queues what does not fit, but we submit only what does: what waits
 * here keeps its priority.
 */
export function createLakeflowRunner({ job, environmentId, clock }: LakeflowRunnerOptions): JobRunner {
  const active = createActiveRuns(job, clock);
  const room = createRoom(job, active, clock);
  const missing = createMissingRuns(job, active, clock);
  const cancelledAt = new Map<string, number>();

  const statusOf = async (runId: string, begun: BegunWithin | undefined): Promise<RunStatus> => {
    try {
      const run = await job.getRun(runId);
      missing.forget(runId);
      return await statusOfRun(run);
    } catch (cause) {
      if (saysUnknown(cause, runId)) return statusOfMissing(runId, begun, cause);
      missing.forget(runId);
      return { state: 'unreachable', cause };
    }
  };
  const statusOfRun = async (run: JobRun): Promise<RunStatus> => {
    if (!run.hasEnded) return { state: 'alive' };
    cancelledAt.delete(run.runId);
    return endOf(job, run);
  };
  const statusOfMissing = async (
    runId: string,
    begun: BegunWithin | undefined,
    cause: unknown,
  ): Promise<RunStatus> => {
    try {
      const weighed = await missing.weigh(runId, begun);
      if (weighed === 'doubtful') return { state: 'unreachable', cause };
      if (weighed !== 'gone') return await statusOfRun(weighed);
    } catch (listCause) {
      return { state: 'unreachable', cause: listCause };
    }
    const message = 'Databricks does not know the run any more: it was deleted, or is older than 60 days.';
    return { state: 'gone', code: 'run_lost', message };
  };

  return {
    async submit({ idempotencyToken, inputPath }) {
      if (idempotencyToken.length > MAX_TOKEN_LENGTH) {
        return refused(
          `The environment id is too long: ${idempotencyToken.length} characters in the token, over ${MAX_TOKEN_LENGTH}.`,
        );
      }
      try {
        const parameters = { input: inputPath, attempt: idempotencyToken };
        const runId = await job.runNow({ token: idempotencyToken, parameters });
        active.noteSubmitted(runId);
        return { kind: 'submitted', runId };
      } catch (error) {
        return outcomeOf(error, idempotencyToken);
      }
    },

    async status(runIds, begun) {
      const answer = new Map<string, RunStatus>();
      if (runIds.length > FEW_RUNS) {
        const alive = new Set((await active.list()).map(({ runId }) => runId));
        for (const runId of runIds) if (alive.has(runId)) answer.set(runId, { state: 'alive' });
      }
      const rest = runIds.filter((runId) => !answer.has(runId));
      for (const runId of rest.slice(MOST_ASKED)) answer.set(runId, { state: 'unreachable' });
      const asked = rest.slice(0, MOST_ASKED);
      await Promise.all(
        asked.map(async (runId) => answer.set(runId, await statusOf(runId, begun?.get(runId)))),
      );
      return answer;
    },

    async cancel(runId) {
      const asked = cancelledAt.get(runId);
      if (asked !== undefined && clock.now() - asked < CANCEL_AGAIN_MS) return;
      cancelledAt.set(runId, clock.now());
      try {
        await job.cancel(runId);
      } catch (error) {
        // It has ended, or nobody knows it: its status tells, and what goes on is asked to stop again.
        if (isAnswered(error)) return;
        cancelledAt.delete(runId);
        throw error;
      }
    },

    async listAlive() {
      const own = `${environmentId}:`;
      return (await active.list()).flatMap(({ runId, parameters }): AliveRun[] => {
        const token = parameters.get('attempt') ?? '';
        return token.startsWith(own) ? [{ runId, attemptId: token.slice(own.length) }] : [];
      });
    },

    freeSlots: room,
  };
}

/** How many runs the job has room for, at most a batch; a batch where it can't be told, as submitting tells why. */
function createRoom(job: LakeflowJob, active: ActiveRuns, clock: CallClock): () => Promise<number> {
  let most: { readonly runs: number; readonly at: number } | null = null;
  return async () => {
    try {
      if (!most || clock.now() - most.at > JOB_SETTINGS_MS) {
        most = { runs: await job.maxConcurrentRuns(), at: clock.now() };
      }
      return Math.max(0, Math.min(BATCH, most.runs - (await active.count())));
    } catch (error) {
      if (error instanceof WorkspaceError && !error.retryable) return BATCH;
      throw error;
    }
  };
}

function isAnswered(error: unknown): boolean {
  return error instanceof WorkspaceError && (error.status === 404 || error.status === 400);
}

async function endOf(job: LakeflowJob, { termination, taskRunId, pageUrl }: JobRun): Promise<RunStatus> {
  const meaning = meaningOfEnd(termination);
  const { code, retryable } = meaning;
  const details = [meaning.words, termination?.message];
  // The platform's own message only sends one on to the output.
  if (termination?.code === 'RUN_EXECUTION_ERROR' && taskRunId) {
    details[1] = (await job.taskError(taskRunId).catch(() => null)) ?? termination.message;
  }
  if (code && pageUrl) details.push(pageUrl);
  return { state: 'gone', code, retryable, message: details.filter(Boolean).join(' ') };
}

/** Throws what leaves open whether a run began: the same token is submitted again. */
function outcomeOf(error: unknown, token: string): SubmitOutcome {
  if (!(error instanceof WorkspaceError) || error.status === null) throw error;
  const { status, message, retryAfterSeconds } = error;
  if (status === 429) return { kind: 'full', retryAfterSeconds: retryAfterSeconds ?? 5, everywhere: true };
  if (error.retryable || status < 400) throw error;
  if (isRunDeleted(message, token)) {
    return {
      kind: 'refused',
      code: 'run_lost',
      message: `The run of this attempt was deleted in Databricks. ${message}`,
    };
  }
  // Two ids are all that one request has and another has not: no document is at fault here, so none may fail by it.
  return {
    kind: 'full',
    retryAfterSeconds: REFUSED_RETRY_SECONDS,
    everywhere: true,
    reason: `${whatToMend(error)} ${message}`,
  };
}

/** About this attempt alone, and for good. The platform's words are open: what only may mean this, does not. */
function isRunDeleted(message: string, token: string): boolean {
  const isAboutIt = message.includes(token) || /\bidempotency[ _-]?token\b/i.test(message);
  return isAboutIt && /\bdeleted\b|\bno longer exists?\b|\bdoes not exist\b/i.test(message);
}

function whatToMend({ status, errorCode }: WorkspaceError): string {
  if (errorCode === 'FEATURE_DISABLED') {
    return 'Databricks starts no run as something is switched off in this workspace: ask an admin of it.';
  }
  // Permission is checked before existence.
  if (status === 401 || status === 403 || status === 404) {
    return 'Databricks lets this app start no run. Grant its service principal CAN MANAGE RUN on the job, and check TICKMARK_JOB_ID.';
  }
  return 'Databricks starts no run of the job as it is. Deploy the job again: its parameters or settings may have changed.';
}

function refused(message: string): SubmitOutcome {
  return { kind: 'refused', code: 'internal', message };
}
