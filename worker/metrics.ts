import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { countAttemptsEnded } from '@/lib/metrics/attempts-ended';
import type { LoopReport } from '@/lib/queue/worker-heartbeat';

/** What a worker counts. It has no port: its heartbeat carries the figures and the app's `/metrics` shows them. */
export interface WorkerMetrics {
  readonly claimed: Counter;
  /** Seconds that one claim took, empty ones too. */
  readonly claimSeconds: Histogram;
  readonly dispatched: Counter<'outcome'>;
  readonly recovered: Counter<'how'>;
  readonly inFlight: Gauge;
  /** Traces read, by what came of it. */
  readonly tracesRead: Counter<'outcome'>;
  /** Seconds from an attempt's end to the figures of its whole trace. */
  readonly traceLag: Histogram;
  /** Notes one run of a loop. */
  loopRan(name: string, took: { readonly ms: number; readonly failed: boolean }): void;
  loops(): Record<string, LoopReport>;
  /** As prom-client's `AggregatorRegistry.aggregate` reads them. */
  json(): Promise<unknown>;
}

export function createWorkerMetrics(): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tickmark_worker_' });
  const registers = [registry];
  const loopSeconds = new Histogram({
    name: 'tickmark_worker_loop_seconds',
    help: 'Time that one run of a loop took',
    labelNames: ['loop'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const loopFailures = new Counter({
    name: 'tickmark_worker_loop_failures_total',
    help: 'Runs of a loop that ended in an error',
    labelNames: ['loop'] as const,
    registers,
  });
  countAttemptsEnded(registry);
  const loops = new Map<string, Omit<LoopReport, 'agoMs'> & { readonly beganAt: number }>();
  return {
    claimed: new Counter({ name: 'tickmark_worker_claimed_total', help: 'Tasks claimed', registers }),
    claimSeconds: new Histogram({
      name: 'tickmark_worker_claim_seconds',
      help: 'Time that one claim took in the database',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    dispatched: new Counter({
      name: 'tickmark_worker_dispatched_total',
      help: 'Claims dispatched, by what became of them',
      labelNames: ['outcome'] as const,
      registers,
    }),
    recovered: new Counter({
      name: 'tickmark_worker_recovered_total',
      help: 'Tasks that nobody looked after, by what was done',
      labelNames: ['how'] as const,
      registers,
    }),
    inFlight: new Gauge({
      name: 'tickmark_worker_watched_runs',
      help: 'Runs in flight that this worker watches; replicas share them',
      registers,
    }),
    tracesRead: new Counter({
      name: 'tickmark_worker_traces_read_total',
      help: 'Traces of attempts read, by what came of it',
      labelNames: ['outcome'] as const,
      registers,
    }),
    traceLag: new Histogram({
      name: 'tickmark_worker_trace_lag_seconds',
      help: 'From the end of an attempt to the figures of its whole trace',
      buckets: [1, 2, 5, 10, 30, 60, 300, 1_800, 21_600],
      registers,
    }),
    loopRan(loop, { ms, failed }) {
      loopSeconds.observe({ loop }, ms / 1000);
      if (failed) loopFailures.inc({ loop });
      const before = loops.get(loop);
      loops.set(loop, {
        beganAt: performance.now() - ms,
        tookMs: Math.round(ms),
        runs: (before?.runs ?? 0) + 1,
        failures: (before?.failures ?? 0) + Number(failed),
      });
    },
    loops: () =>
      Object.fromEntries(
        [...loops].map(([name, { beganAt, ...loop }]) => [
          name,
          { ...loop, agoMs: Math.round(performance.now() - beganAt) },
        ]),
      ),
    json: () => registry.getMetricsAsJSON(),
  };
}
