import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { errorCode } from '@/lib/db/connection-loss';
import type { DueTrace } from './traces-due';

/** Under which id an attempt's trace is read; null, and why, where there is none. */
export interface TraceId {
  readonly traceId: string | null;
  readonly problem: string | null;
}

/**
 * The trace to read for an attempt. An agent may record its trace under an id of its own and report that. It counts for the
 * first attempt that it is read for, and for no other one, so that one trace is never counted twice; an attempt whose
 * reported id is refused has the trace under the id that it was given at the claim.
 */
export async function traceIdOf(db: Db, due: DueTrace): Promise<TraceId> {
  const own = due.ownTraceId;
  const reported = plainId(due.traceId ?? '');
  if (reported === own && own !== null) return { traceId: own, problem: null };
  if (reported === null) return { traceId: own, problem: 'The trace id is none of MLflow’s.' };
  if (await reserve(db, due.attemptId, reported)) return { traceId: reported, problem: null };
  return { traceId: own, problem: 'The trace that its agent reported is another attempt’s.' };
}

/** As MLflow's users write it, or as OpenTelemetry's do. */
function plainId(written: string): string | null {
  const id = written.replace(/^tr-/, '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}

/** Makes a trace this attempt's, for good; false where it is another's. */
async function reserve(db: Db, attemptId: string, traceId: string): Promise<boolean> {
  try {
    const { rowCount } = await db.execute(sql`
      /* usage.reserve_trace */
      update tickmark.attempt_traces t set other_trace_id = ${traceId}
      where t.attempt_id = ${attemptId}::uuid
        and not exists (
          select from tickmark.attempt_traces o
          where (o.trace_id = ${traceId} or o.other_trace_id = ${traceId}) and o.attempt_id <> t.attempt_id
        )`);
    return rowCount === 1;
  } catch (error) {
    // Another one was faster by a moment.
    if (errorCode(error) === '23505') return false;
    throw error;
  }
}
