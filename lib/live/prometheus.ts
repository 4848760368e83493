import 'server-only';
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readGauges } from '@/lib/dashboard/gauges';
import { readWorkerSigns, type WorkerSigns } from '@/lib/dashboard/workers';
import type { Db } from '@/lib/db/client';
import type { LiveHub } from './hub';

/** Next may load this module more than once; a process has one registry all the same. */
const slot = globalThis as typeof globalThis & { tickmarkMetrics?: ReturnType<typeof createMetrics> };

function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tickmark_app_' });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  return {
    registry,
    tasks: gauge('tickmark_tasks', 'Tasks by agent and status', ['agent', 'status']),
    oldestWaiting: gauge('tickmark_oldest_waiting_seconds', 'Age of the oldest enqueued task'),
    expiredLeases: gauge('tickmark_expired_leases', 'Tasks in processing whose lease is over'),
    workersAlive: gauge('tickmark_workers_alive', 'Workers that have given a sign lately'),
    loopAge: gauge(
      'tickmark_worker_loop_age_seconds',
      'Since the last run of a loop began, its freshest worker',
      ['loop'],
    ),
    workerInfo: gauge('tickmark_worker_info', 'Workers by version', ['version']),
    liveClients: gauge('tickmark_live_clients', 'Open event streams of this process'),
    listenerLive: gauge('tickmark_listener_live', '1 while notifications of the database surely arrive'),
  };
}

/** The metrics of this process and of the queue, as Prometheus reads them. */
export async function prometheusText(db: Db, live: LiveHub): Promise<{ contentType: string; text: string }> {
  slot.tickmarkMetrics ??= createMetrics();
  const metrics = slot.tickmarkMetrics;
  const [gauges, workers] = await Promise.all([readGauges(db), readWorkerSigns(db)]);
  // An agent that has no task any more must not keep its last count.
  metrics.tasks.reset();
  for (const { agent, status, count } of gauges.tasks) metrics.tasks.set({ agent, status }, count);
  metrics.oldestWaiting.set(gauges.oldestWaitingSeconds);
  metrics.expiredLeases.set(gauges.expiredLeases);
  metrics.workersAlive.set(gauges.workersAlive);
  metrics.liveClients.set(live.subscribers);
  metrics.listenerLive.set(live.state === 'live' ? 1 : 0);
  showWorkers(metrics, workers);
  const text = `${await metrics.registry.metrics()}\n${await workerText(workers)}`;
  return { contentType: metrics.registry.contentType, text };
}

function showWorkers(metrics: ReturnType<typeof createMetrics>, workers: readonly WorkerSigns[]): void {
  metrics.loopAge.reset();
  metrics.workerInfo.reset();
  const freshest = new Map<string, number>();
  for (const { version, loops } of workers) {
    metrics.workerInfo.inc({ version });
    for (const { loop, ageSeconds } of loops) {
      freshest.set(loop, Math.min(ageSeconds, freshest.get(loop) ?? Number.POSITIVE_INFINITY));
    }
  }
  for (const [loop, age] of freshest) metrics.loopAge.set({ loop }, age);
}

/** The workers' own counters, summed: they have no port, their heartbeats carry them. */
async function workerText(workers: readonly WorkerSigns[]): Promise<string> {
  const reported = workers.map(({ metrics }) => metrics).filter((metrics) => metrics.length > 0);
  if (reported.length === 0) return '';
  try {
    // prom-client's types ask for one metrics object where its code takes a list of such lists.
    const aggregate = AggregatorRegistry.aggregate as unknown as (lists: readonly object[]) => Registry;
    return await aggregate(reported).metrics();
  } catch {
    // A worker of another version may report what can't be added up; the app's own figures must not go with it.
    return '';
  }
}
