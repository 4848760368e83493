import 'server-only';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { readAgents } from '@/lib/dashboard/agents';
import { readDatabaseHealth } from '@/lib/dashboard/database-health';
import { readGauges } from '@/lib/dashboard/gauges';
import { readTotalsByAgent } from '@/lib/dashboard/metrics/totals-by-agent';
import { readTraceHealth } from '@/lib/dashboard/trace-health';
import { readWorkerSigns, type WorkerSigns } from '@/lib/dashboard/workers';
import type { Db } from '@/lib/db/client';
import { countAttemptsEnded } from '@/lib/metrics/attempts-ended';
import { countCallbacks } from '@/lib/metrics/callbacks-answered';
import type { LiveHub } from './hub';
import { createQueueMetrics } from './queue-metrics';
import { createSystemMetrics } from './system-metrics';

/** Next may load this module more than once; a process has one registry all the same. */
const slot = globalThis as typeof globalThis & { tickmarkMetrics?: ReturnType<typeof createMetrics> };

function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tickmark_app_' });
  countCallbacks(registry);
  // Counted by app and workers alike, under one name.
  const common = new Registry();
  countAttemptsEnded(common);
  return { registry, common, queue: createQueueMetrics(registry), system: createSystemMetrics(registry) };
}

/** The metrics of this process, of the workers and of the queue, as Prometheus reads them. */
export async function prometheusText(db: Db, live: LiveHub): Promise<{ contentType: string; text: string }> {
  slot.tickmarkMetrics ??= createMetrics();
  const { registry, common, queue, system } = slot.tickmarkMetrics;
  const [gauges, agents, totals, workers, database, traces] = await Promise.all([
    readGauges(db),
    readAgents(db),
    readTotalsByAgent(db),
    readWorkerSigns(db),
    readDatabaseHealth(db),
    readTraceHealth(db),
  ]);
  queue.show({ gauges, agents, totals });
  system.show({ database, workers, traces, live, pool: db.$client });
  const text = `${await registry.metrics()}\n${await summedText(workers, common)}`;
  return { contentType: registry.contentType, text };
}

/** The workers' own counters, summed: they have no port, their heartbeats carry them. */
async function summedText(workers: readonly WorkerSigns[], common: Registry): Promise<string> {
  const own = await common.getMetricsAsJSON();
  const reported = workers.map(({ metrics }) => metrics).filter((metrics) => metrics.length > 0);
  try {
    // prom-client's types ask for one metrics object where its code takes a list of such lists.
    const aggregate = AggregatorRegistry.aggregate as unknown as (lists: readonly object[]) => Registry;
    return await aggregate([own, ...reported]).metrics();
  } catch {
    // A worker of another version may report what can't be added up; the app's own figures must not go with it.
    return await common.metrics();
  }
}
