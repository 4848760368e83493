import type { Db } from '@/lib/db/client';
import { errorCode } from '@/lib/db/connection-loss';
import type { Logger } from '@/lib/log';
import {
  type TraceReading,
  type TraceSource,
  TraceSourceUnavailable,
  TraceUnreadable,
} from '@/lib/platform/trace-source/port';
import { aFewAtOnce } from '@/lib/queue/a-few-at-once';
import { type AppliedTrace, applyTrace, noteUnreadable } from '@/lib/usage/apply-trace';
import { traceIdOf } from '@/lib/usage/trace-id';
import { type DueTrace, forgetTrace, postponeTraces, takeDueTraces } from '@/lib/usage/traces-due';
import type { Pace } from './loop';
import type { WorkerMetrics } from './metrics';

export interface EnricherDeps {
  readonly db: Db;
  readonly source: TraceSource;
  readonly log: Logger;
  readonly metrics: Pick<WorkerMetrics, 'tracesRead' | 'traceLag'>;
}

const AT_A_TIME = 40;
/** A server of one process answers no more at once, and its users want to read too. */
const AT_ONCE = 4;
/** Longer than all that is taken at a time can take. */
const LEASE_SECONDS = 180;
const OUTAGE_SECONDS = 5;
const LONGEST_OUTAGE_SECONDS = 300;

/**
 * Reads tokens and cost of attempts back from their traces, of those in flight too. All of it is in rows: what is due, how
 * often it was read, what a worker that died had taken. While the source is away nothing is given up; it is asked ever rarer.
 */
export function createEnricher(deps: EnricherDeps): () => Promise<Pace> {
  const { db, source, log } = deps;
  let outages = 0;
  return async () => {
    const due = await takeDueTraces(db, { limit: AT_A_TIME, leaseSeconds: LEASE_SECONDS });
    if (due.length === 0) return 'idle';
    const unread: string[] = [];
    let away: TraceSourceUnavailable | null = null;
    const failed: unknown[] = [];
    await aFewAtOnce(AT_ONCE, due, async (trace) => {
      if (away) unread.push(trace.attemptId);
      else {
        try {
          await readOne(deps, trace);
        } catch (error) {
          // One that fails leaves the others their turn; it comes back by its lease.
          if (!(error instanceof TraceSourceUnavailable)) return void failed.push(error);
          away = error;
          unread.push(trace.attemptId);
        }
      }
    });
    const failure = away as TraceSourceUnavailable | null;
    if (!failure) {
      if (failed.length > 0) throw failed[0];
      if (outages > 0) log.info({ source: source.name }, 'traces.reachable_again');
      outages = 0;
      return due.length === AT_A_TIME ? 'again' : 'idle';
    }
    if (outages === 0) log.warn({ source: source.name, err: failure }, 'traces.unavailable');
    const seconds = Math.min(OUTAGE_SECONDS * 2 ** outages, LONGEST_OUTAGE_SECONDS);
    outages = Math.min(outages + 1, 10);
    deps.metrics.tracesRead.inc({ outcome: 'unavailable' });
    await postponeTraces(db, unread, { seconds, error: failure.message });
    return 'idle';
  };
}

async function readOne(deps: EnricherDeps, due: DueTrace): Promise<void> {
  const { db, log, metrics } = deps;
  const { attemptId } = due;
  if (!due.hasRun) return forgetTrace(db, attemptId);
  const applied = await readAndApply(deps, due);
  if (!applied) return forgetTrace(db, attemptId);
  const { verdict, differs } = applied;
  const outcome = verdict.kind === 'done' ? verdict.status : 'waiting';
  metrics.tracesRead.inc({ outcome });
  if (verdict.kind !== 'done') return;
  if (verdict.status === 'complete') metrics.traceLag.observe(due.overSeconds ?? 0);
  else log.warn({ attemptId, reads: due.reads }, `trace.${verdict.status}`);
  if (differs) {
    metrics.tracesRead.inc({ outcome: 'differs' });
    log.warn({ attemptId }, 'trace.differs_from_report');
  }
}

/**
 * A trace that can't be read, or whose figures can't be kept, is that attempt's trouble alone: its reason is kept and it is
 * looked for again for a while, except where it will be no other.
 */
async function readAndApply({ db, source, log }: EnricherDeps, due: DueTrace): Promise<AppliedTrace | null> {
  try {
    const { reading, problem } = await readTrace(db, source, due);
    return await applyTrace(db, due, reading, problem);
  } catch (error) {
    if (error instanceof TraceUnreadable) return noteUnreadable(db, due, error);
    if (error instanceof TraceSourceUnavailable || !isOfItsData(error)) throw error;
    log.warn({ attemptId: due.attemptId, err: error }, 'trace.unreadable');
    const message = 'The trace holds something that could not be kept; the log has it as trace.unreadable.';
    return noteUnreadable(db, due, new TraceUnreadable(message, { cause: error }));
  }
}

/** What a database says to values that it can't hold, and our own code to what it did not expect; not a lost connection. */
function isOfItsData(error: unknown): boolean {
  const code = errorCode(error);
  return code === undefined ? error instanceof TypeError || error instanceof RangeError : /^2[23]/.test(code);
}

const NOTHING: TraceReading = { kind: 'absent' };

interface PatientReading {
  readonly reading: TraceReading;
  /** Why there is nothing. */
  readonly problem: string | null;
}

async function readTrace(db: Db, source: TraceSource, due: DueTrace): Promise<PatientReading> {
  if (due.overSeconds === null && !source.seesRunsInFlight) return { reading: NOTHING, problem: null };
  const { traceId, problem } = await traceIdOf(db, due);
  if (traceId === null) return { reading: NOTHING, problem };
  const reading = await source.read(traceId);
  if (reading.kind !== 'found') return { reading, problem };
  const isAnothers = reading.attemptIds.some((id) => id.toLowerCase() !== due.attemptId);
  return isAnothers
    ? { reading: NOTHING, problem: 'The trace says that it is of another attempt.' }
    : { reading, problem };
}
