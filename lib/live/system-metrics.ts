import 'server-only';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { DatabaseHealth, TraceHealth } from '@/lib/contract/api-health';
import type { WorkerSigns } from '@/lib/dashboard/workers';
import type { LiveHub } from './hub';

/** What is known of the parts at each scrape. */
export interface SystemFacts {
  readonly database: DatabaseHealth;
  readonly workers: readonly WorkerSigns[];
  readonly live: Pick<LiveHub, 'subscribers' | 'state'>;
  readonly pool: Pool;
  readonly traces: TraceHealth | null;
}

/** Metrics of this process, of the workers' loops and of the database's condition. */
export function createSystemMetrics(registry: Registry): { show(facts: SystemFacts): void } {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  const workers = createWorkerGauges(gauge);
  const database = createDatabaseGauges(gauge);
  const clients = gauge('tickmark_live_clients', 'Open event streams of this process');
  const listener = gauge('tickmark_listener_live', '1 while notifications of the database surely arrive');
  const pool = gauge('tickmark_app_pool_connections', 'Database connections of this process', ['state']);
  const waiting = gauge('tickmark_app_pool_waiting', 'Requests of this process that wait for a connection');
  const traces = gauge(
    'tickmark_traces',
    'Traces of attempts: `waiting` now, and of the last day those that `differ` from the report and that are `missing`',
    ['state'],
  );
  return {
    show(facts) {
      const { totalCount, idleCount, waitingCount } = facts.pool;
      clients.set(facts.live.subscribers);
      listener.set(facts.live.state === 'live' ? 1 : 0);
      pool.set({ state: 'idle' }, idleCount);
      pool.set({ state: 'busy' }, totalCount - idleCount);
      waiting.set(waitingCount);
      if (facts.traces) {
        traces.set({ state: 'waiting' }, facts.traces.waiting);
        traces.set({ state: 'differ' }, facts.traces.differLastDay);
        traces.set({ state: 'missing' }, facts.traces.missingLastDay);
      }
      workers(facts.workers);
      database(facts.database);
    },
  };
}

type MakeGauge = <L extends string>(name: string, help: string, labelNames?: readonly L[]) => Gauge<L>;

function createWorkerGauges(gauge: MakeGauge): (workers: readonly WorkerSigns[]) => void {
  const loopAge = gauge(
    'tickmark_worker_loop_age_seconds',
    'Since the last run of a loop began, its freshest worker',
    ['loop'],
  );
  const info = gauge('tickmark_worker_info', 'Workers by version', ['version']);
  return (workers) => {
    loopAge.reset();
    info.reset();
    const freshest = new Map<string, number>();
    for (const { version, loops } of workers) {
      info.inc({ version });
      for (const { loop, ageSeconds } of loops) {
        freshest.set(loop, Math.min(ageSeconds, freshest.get(loop) ?? Number.POSITIVE_INFINITY));
      }
    }
    for (const [loop, age] of freshest) loopAge.set({ loop }, age);
  };
}

function createDatabaseGauges(gauge: MakeGauge): (database: DatabaseHealth) => void {
  const size = gauge('tickmark_database_size_bytes', 'Size of the database');
  const connections = gauge('tickmark_database_connections', 'Client connections of the whole server');
  const maxConnections = gauge('tickmark_database_max_connections', 'Connections that the server allows');
  const snapshot = gauge(
    'tickmark_oldest_snapshot_seconds',
    'How long the oldest transaction has held its snapshot; while it does nothing can be vacuumed',
  );
  const dead = gauge('tickmark_table_dead_rows', 'Rows that are not vacuumed yet', ['table']);
  const live = gauge('tickmark_table_live_rows', 'Rows, as last estimated', ['table']);
  const bytes = gauge('tickmark_table_size_bytes', 'Size of a table with its indexes', ['table']);
  return (database) => {
    size.set(database.sizeBytes);
    connections.set(database.connections);
    maxConnections.set(database.maxConnections);
    snapshot.set(database.oldestSnapshot?.ageSeconds ?? 0);
    for (const metric of [dead, live, bytes]) metric.reset();
    for (const { name, deadRows, liveRows, totalBytes } of database.tables) {
      dead.set({ table: name }, deadRows);
      live.set({ table: name }, liveRows);
      bytes.set({ table: name }, totalBytes);
    }
  };
}
