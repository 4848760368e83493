import { sql } from 'drizzle-orm';
import { Usage } from '@/lib/contract/callback';
import { storableText } from '@/lib/contract/text';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import type { TraceReading, TraceUnreadable } from '@/lib/platform/trace-source/port';
import { decideTrace, type TraceVerdict, UNREADABLE_FOR_GOOD } from './decide-trace';
import { priceUsages } from './price';
import { differ, type Figures, figuresOf, type TraceFigures } from './trace-figures';
import type { DueTrace } from './traces-due';

/** What became of a reading. */
export interface AppliedTrace {
  readonly verdict: TraceVerdict;
  /** The final report and the whole trace say different things. */
  readonly differs: boolean;
}

/**
 * Takes a reading over. The figures of a whole trace replace those of the attempt, whatever they were, and from then on no
 * report changes them; those of a part count while they are not less than what is known. So a task's cost stays the sum of
 * its attempts, and nothing is counted twice: figures are replaced, never added. Null where the attempt is gone.
 * @param problem why it could not be read, to be kept
 */
export async function applyTrace(
  db: Db,
  due: DueTrace,
  reading: TraceReading,
  problem: string | null = null,
): Promise<AppliedTrace | null> {
  const verdict = decideTrace(due, reading);
  return withTransaction(db, async (tx) => {
    // The attempt before its trace, as late reports lock them (drizzle, note_late_report).
    const attempt = await lockAttempt(tx, due.attemptId);
    if (!attempt) return null;
    const trace = reading.kind === 'found' ? await figuresOf(tx, reading.calls) : null;
    const report = await reportedFigures(tx, attempt);
    const isWhole = verdict.kind === 'done' ? verdict.status === 'complete' : verdict.isWhole;
    if (trace) await takeFigures(tx, attempt, trace, isWhole);
    const calls = reading.kind === 'found' ? reading.calls.length : 0;
    // A whole trace without any call changes no figure, but says another thing than a report of tokens.
    const differs = Boolean(
      isWhole && attempt.usage_final && report && differ(trace ?? NO_CALLS, report, calls),
    );
    await noteReading(tx, { due, reading, verdict, trace, report, differs, problem });
    return { verdict, differs };
  });
}

const NO_CALLS: Figures = {
  model: null,
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  llmCostUsd: null,
};

/** Notes why a trace could not be read or kept; the figures stay as they are. Null where there is none to note it of. */
export async function noteUnreadable(
  db: Db,
  due: DueTrace,
  { message, isFinal }: TraceUnreadable,
): Promise<AppliedTrace | null> {
  const verdict = decideTrace(due, isFinal ? UNREADABLE_FOR_GOOD : { kind: 'absent' });
  const status = verdict.kind === 'done' ? verdict.status : 'waiting';
  const seconds = verdict.kind === 'done' ? null : verdict.seconds;
  const { rowCount } = await db.execute(sql`
    /* usage.note_unreadable_trace */
    update tickmark.attempt_traces set
      status = ${status},
      next_read_at = clock_timestamp() + make_interval(secs => ${seconds}::float8),
      done_at = case when ${status !== 'waiting'} then clock_timestamp() end,
      error = left(${storableText(message)}, 500)
    where attempt_id = ${due.attemptId}::uuid`);
  return rowCount === 0 ? null : { verdict, differs: false };
}

interface LockedAttempt extends Record<string, unknown> {
  id: string;
  task_id: string;
  usage: unknown;
  usage_final: boolean;
  reported_cost_usd: string | null;
  model: string | null;
}

async function lockAttempt(tx: Tx, attemptId: string): Promise<LockedAttempt | undefined> {
  const { rows } = await tx.execute<LockedAttempt>(sql`
    /* usage.lock_attempt */
    select id, task_id, usage - 'calls' as usage, usage_final, reported_cost_usd, model
    from tickmark.task_attempts where id = ${attemptId}::uuid for update`);
  return rows[0];
}

/** What the last report comes to, as it would count without a trace; null where there was none. */
async function reportedFigures(tx: Tx, attempt: LockedAttempt): Promise<Figures | null> {
  const usage = Usage.safeParse(attempt.usage);
  if (!usage.success) return null;
  const named = { ...usage.data, model: usage.data.model ?? attempt.model };
  const [price = null] = await priceUsages(tx, [named]);
  return { ...named, llmCostUsd: price ?? attempt.reported_cost_usd };
}

/** An attempt that is over leaves no event for its new figures, so that the roll-up is told. */
async function takeFigures(
  tx: Tx,
  attempt: LockedAttempt,
  trace: TraceFigures,
  isWhole: boolean,
): Promise<void> {
  await tx.execute(sql`
    /* usage.take_trace */
    with changed as (
      update tickmark.task_attempts a
      set model = coalesce(${trace.model}, a.model),
        input_tokens = ${trace.inputTokens}::bigint,
        cached_input_tokens = ${trace.cachedInputTokens}::bigint,
        cache_write_tokens = ${trace.cacheWriteTokens}::bigint,
        output_tokens = ${trace.outputTokens}::bigint,
        -- Without any price the one that the agent reported is better than none.
        llm_cost_usd = coalesce(${trace.llmCostUsd}::numeric, a.reported_cost_usd),
        trace_settled = ${isWhole}
      where a.id = ${attempt.id}::uuid
        and (${isWhole} or not a.trace_settled and not a.usage_final
          and coalesce(a.input_tokens + a.output_tokens, 0) <= ${trace.inputTokens + trace.outputTokens}::bigint)
        and (a.trace_settled, a.input_tokens, a.cached_input_tokens, a.cache_write_tokens, a.output_tokens, a.llm_cost_usd)
          is distinct from (
            ${isWhole}, ${trace.inputTokens}::bigint, ${trace.cachedInputTokens}::bigint, ${trace.cacheWriteTokens}::bigint,
            ${trace.outputTokens}::bigint, coalesce(${trace.llmCostUsd}::numeric, a.reported_cost_usd)
          )
      returning a.task_id
    )
    insert into tickmark.usage_changes (task_id) select task_id from changed`);
}

async function noteReading(
  tx: Tx,
  reading: {
    readonly due: DueTrace;
    readonly reading: TraceReading;
    readonly verdict: TraceVerdict;
    readonly trace: TraceFigures | null;
    readonly report: Figures | null;
    readonly differs: boolean;
    readonly problem: string | null;
  },
): Promise<void> {
  const { due, verdict, trace, report, differs, problem } = reading;
  const found = reading.reading.kind === 'found' ? reading.reading : null;
  const status = verdict.kind === 'done' ? verdict.status : 'waiting';
  const seconds = verdict.kind === 'done' ? null : verdict.seconds;
  await tx.execute(sql`
    /* usage.note_trace */
    update tickmark.attempt_traces set
      status = ${status},
      next_read_at = clock_timestamp() + make_interval(secs => ${seconds}::float8),
      read_at = case when ${found !== null} then clock_timestamp() else read_at end,
      done_at = case when ${status !== 'waiting'} then clock_timestamp() end,
      model_calls = coalesce(${found?.calls.length ?? null}::integer, model_calls),
      expected_calls = coalesce(${found?.expectedCalls ?? null}::integer, expected_calls),
      model = coalesce(${trace?.model ?? null}, model),
      input_tokens = coalesce(${trace?.inputTokens ?? null}::bigint, input_tokens),
      cached_input_tokens = coalesce(${trace?.cachedInputTokens ?? null}::bigint, cached_input_tokens),
      cache_write_tokens = coalesce(${trace?.cacheWriteTokens ?? null}::bigint, cache_write_tokens),
      output_tokens = coalesce(${trace?.outputTokens ?? null}::bigint, output_tokens),
      llm_cost_usd = case when ${trace !== null} then ${trace?.llmCostUsd ?? null}::numeric else llm_cost_usd end,
      priced_by = case when ${trace !== null} then ${trace?.pricedBy ?? null} else priced_by end,
      callback_cost_usd = ${report?.llmCostUsd ?? null}::numeric,
      differs = ${differs},
      error = left(${problem === null ? null : storableText(problem)}, 500)
    where attempt_id = ${due.attemptId}::uuid`);
}
