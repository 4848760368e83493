import 'server-only';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readGauges } from '@/lib/dashboard/gauges';
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
    workersAlive: gauge('tickmark_workers_alive', 'Workers that gave a sign within 30 s'),
    liveClients: gauge('tickmark_live_clients', 'Open event streams of this process'),
    listenerLive: gauge('tickmark_listener_live', '1 while notifications of the database surely arrive'),
  };
}

/** The metrics of this process and of the queue, as Prometheus reads them. */
export async function prometheusText(db: Db, live: LiveHub): Promise<{ contentType: string; text: string }> {
  slot.tickmarkMetrics ??= createMetrics();
  const metrics = slot.tickmarkMetrics;
  const gauges = await readGauges(db);
  // An agent that has no task any more must not keep its last count.
  metrics.tasks.reset();
  for (const { agent, status, count } of gauges.tasks) metrics.tasks.set({ agent, status }, count);
  metrics.oldestWaiting.set(gauges.oldestWaitingSeconds);
  metrics.expiredLeases.set(gauges.expiredLeases);
  metrics.workersAlive.set(gauges.workersAlive);
  metrics.liveClients.set(live.subscribers);
  metrics.listenerLive.set(live.state === 'live' ? 1 : 0);
  return { contentType: metrics.registry.contentType, text: await metrics.registry.metrics() };
}
