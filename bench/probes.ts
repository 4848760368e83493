import { setTimeout as delay } from 'node:timers/promises';
import { now } from './clock';
import type { Figures } from './measurement';
import { percentile } from './statistics';
import type { Producer } from './systems/system';
import type { WorkerHandle } from './worker-handle';

const PATIENCE_MS = 10_000;

export interface ProbeOptions {
  readonly priority: 'low' | 'high';
  readonly count: number;
  /** From one to the next, ± a tenth, so that nothing falls into step with it. */
  readonly everyMs: number;
  /** Probes before that count for nothing: connections are opened, statements planned. */
  readonly warmUp?: number;
  /** Asked before each. */
  readonly goOn?: () => boolean;
}

/**
 * Enqueues single tasks and waits for each to start in the worker's process.
 * @returns milliseconds from the enqueue call to the start, `p50` and `p95`; of the call alone `enqueueP50`; `probes`
 */
export async function probe(
  producer: Producer,
  worker: WorkerHandle,
  { priority, count, everyMs, warmUp = 0, goOn = () => true }: ProbeOptions,
): Promise<Figures> {
  const begun = new Map<number, number>();
  const calls: number[] = [];
  for (let n = -warmUp; n < count && goOn(); n += 1) {
    const at = now();
    await producer.enqueueOne({ kind: 'probe', n }, priority);
    if (n >= 0) {
      begun.set(n, at);
      calls.push(now() - at);
    }
    await delay(Math.max(1, everyMs * (0.9 + 0.2 * Math.random()) - (now() - at)));
  }
  const patience = now() + PATIENCE_MS;
  const missing = () => [...begun.keys()].filter((n) => !worker.probes.has(n)).length;
  while (missing() > 0) {
    worker.check();
    if (now() > patience) throw new Error(`${missing()} of ${begun.size} probes did not start`);
    await delay(20);
  }
  const took = [...begun].map(([n, at]) => (worker.probes.get(n) ?? Number.NaN) - at);
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(took, share));
  return { p50: p50 ?? 0, p95: p95 ?? 0, enqueueP50: percentile(calls, 0.5), probes: took.length };
}
