import type { Db } from '@/lib/db/client';
import type { Logger } from '@/lib/log';
import {
  type TraceReading,
  type TraceSource,
  TraceSourceUnavailable,
  TraceUnreadable,
} from '@/lib/platform/trace-source/port';
import { aFewAtOnce } from '@/lib/queue/a-few-at-once';
import { applyTrace } from '@/lib/usage/apply-trace';
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
    await aFewAtOnce(AT_ONCE, due, async (trace) => {
      if (away) unread.push(trace.attemptId);
      else {
        try {
          await readOne(deps, trace);
        } catch (error) {
          if (!(error instanceof TraceSourceUnavailable)) throw error;
          away = error;
          unread.push(trace.attemptId);
        }
      }
    });
    const failure = away as TraceSourceUnavailable | null;
    if (!failure) {
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

async function readOne({ db, source, log, metrics }: EnricherDeps, due: DueTrace): Promise<void> {
  const { attemptId } = due;
  if (!due.hasRun) return forgetTrace(db, attemptId);
  const { reading, problem } = await readPatiently(source, due);
  const applied = await applyTrace(db, due, reading, problem);
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

const NOTHING: TraceReading = { kind: 'absent' };

/** A trace that can't be read is as good as absent: looked for again for a while, and its reason is kept. */
async function readPatiently(
  source: TraceSource,
  due: DueTrace,
): Promise<{ reading: TraceReading; problem: string | null }> {
  // As MLflow's users write it, or as OpenTelemetry's do; agents may report either.
  const id = (due.traceId ?? '').replace(/^tr-/, '').toLowerCase();
  if (due.overSeconds === null && !source.seesRunsInFlight) return { reading: NOTHING, problem: null };
  if (!/^[0-9a-f]{32}$/.test(id)) return { reading: NOTHING, problem: 'The trace id is none of MLflow’s.' };
  try {
    return { reading: await source.read(id), problem: null };
  } catch (error) {
    if (error instanceof TraceUnreadable) return { reading: NOTHING, problem: error.message };
    throw error;
  }
}
