import { sql } from 'drizzle-orm';
import type { AttemptError } from '@/lib/contract/callback';
import { storableText } from '@/lib/contract/text';
import type { Tx } from '@/lib/db/client';
import { isOutageCode, readOutageOfAgent } from './outage';

/** Where no Retry-After says more: a quarter of how long it has been so, between these. */
const WAIT_SHARE = 0.25;
const MIN_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 60;
/** A model that has answered others of its agent so lately is not away. */
const ANSWERED_SECONDS = 10;
/** One burst lowers once: what was claimed before that says nothing of the lower limit, for so long. */
const SAME_BURST_SECONDS = 60;
const MAX_REASON = 300;
/** The reason where the runner itself takes no more runs. */
export const RUNNER_FULL = 'the runner takes no more runs';

/** Told to come back later: by a run whose provider answered 429 or not at all, or by the runner itself. */
export interface ToldToWait {
  readonly agentId: string;
  /** The one that was told; it has just ended. */
  readonly attemptId: string;
  /** As asked for; null or 0 = nothing was. */
  readonly retryAfterSeconds: number | null;
  /** Shown with the limits that follow from it. */
  readonly reason: string;
}

/**
 * A failure that says "too many requests", or that the model can't be reached, cools its agent; any other changes
 * nothing. That it can't be reached is believed unless it has just answered another run.
 */
export async function coolAfter(
  tx: Tx,
  { agentId, attemptId, error }: { agentId: string; attemptId: string; error: AttemptError },
): Promise<void> {
  if (!isOutageCode(error.code)) return;
  const outage = await readOutageOfAgent(tx, agentId);
  if (error.code === 'model_unavailable') {
    if (!error.retryable || (outage.secondsSinceSuccess ?? Infinity) < ANSWERED_SECONDS) return;
  }
  const retryAfterSeconds = error.retryAfterSeconds || waitSeconds(outage.seconds);
  const reason = error.message ? `${error.code}: ${error.message}` : error.code;
  await coolAgent(tx, { agentId, attemptId, retryAfterSeconds, reason });
}

function waitSeconds(outageSeconds: number): number {
  return Math.min(MAX_WAIT_SECONDS, Math.max(MIN_WAIT_SECONDS, WAIT_SHARE * outageSeconds));
}

/**
 * Nothing of this agent is claimed, by any worker, until the time asked for has passed; jitter is upward only, as
 * coming early is refused again. And its effective limits are halved: those that are set, else the number of tasks,
 * from what was in flight. `tuneAgents` raises them again step by step.
 *
 * Settling takes no admission lock, so this does not either: a claim that is under way still counts the limit before.
 */
export async function coolAgent(tx: Tx, told: ToldToWait): Promise<void> {
  const seconds = (told.retryAfterSeconds || MIN_WAIT_SECONDS) * (1 + 0.25 * Math.random());
  await tx.execute(sql`
    /* queue.cool_agent */
    update tickmark.agents
    set cooling_until = greatest(cooling_until, clock_timestamp() + make_interval(secs => ${seconds}::float8)),
      adapted_at = clock_timestamp(), lowered_reason = ${storableReason(told.reason)}
    where id = ${told.agentId}`);
  await lowerLimits(tx, told);
}

function storableReason(reason: string): string {
  return storableText(reason).slice(0, MAX_REASON).toWellFormed();
}

async function lowerLimits(tx: Tx, { agentId, attemptId }: ToldToWait): Promise<void> {
  await tx.execute(sql`
    /* queue.lower_limits */
    with told as materialized (
      select g.id,
        -- This attempt has just ended, and was in flight when it was told.
        (select count(*) from tickmark.tasks t where t.agent_id = g.id and t.status = 'processing') + 1 as in_flight,
        (select sum(u.rate) from tickmark.agent_token_use(clock_timestamp(), g.id) u) as rate
      from tickmark.agents g
      where g.id = ${agentId}
        and (g.lowered_at is null
          or g.lowered_at < clock_timestamp() - make_interval(secs => ${SAME_BURST_SECONDS})
          or g.lowered_at < (select a.claimed_at from tickmark.task_attempts a where a.id = ${attemptId}::uuid))
    )
    update tickmark.agents g
    set lowered_from_tasks = told.in_flight,
      lowered_concurrent_tasks = case when g.max_concurrent_tasks is not null or g.max_tpm is null then
        greatest(1, least(g.max_concurrent_tasks, g.lowered_concurrent_tasks, told.in_flight) / 2) end,
      lowered_tpm = case when g.max_tpm is not null then
        greatest(1, floor(least(g.max_tpm, g.lowered_tpm, greatest(told.rate, g.max_tpm / 10)) / 2)) end,
      lowered_at = clock_timestamp()
    from told
    where g.id = told.id`);
}
