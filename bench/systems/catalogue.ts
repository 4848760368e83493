import { type BullMqOptions, bullMqOnPostgres, bullMqOnRedis } from './bullmq';
import { type DbosOptions, dbos } from './dbos';
import { type GraphileWorkerOptions, graphileWorker } from './graphile-worker';
import { type PgBossOptions, pgBoss } from './pg-boss';
import { type RawFullOptions, rawFull } from './raw-full';
import { type RawFusedOptions, rawFused } from './raw-fused';
import type { System } from './system';
import { type TickmarkOptions, tickmark } from './tickmark';
import { type TickmarkWorkerOptions, tickmarkWorker } from './tickmark-worker';

/** A system with its settings, in a form that another process can be told. */
export type SystemSpec =
  | { readonly system: 'tickmark'; readonly options: TickmarkOptions }
  | { readonly system: 'tickmark-worker'; readonly options: TickmarkWorkerOptions }
  | { readonly system: 'raw-fused'; readonly options: RawFusedOptions }
  | { readonly system: 'raw-full'; readonly options: RawFullOptions }
  | { readonly system: 'graphile-worker'; readonly options: GraphileWorkerOptions }
  | { readonly system: 'pg-boss'; readonly options: PgBossOptions }
  | { readonly system: 'bullmq-redis'; readonly options: BullMqOptions }
  | { readonly system: 'bullmq-postgres'; readonly options: BullMqOptions }
  | { readonly system: 'dbos'; readonly options: DbosOptions };

export function openSystem(spec: SystemSpec): System {
  switch (spec.system) {
    case 'tickmark':
      return tickmark(spec.options);
    case 'tickmark-worker':
      return tickmarkWorker(spec.options);
    case 'raw-fused':
      return rawFused(spec.options);
    case 'raw-full':
      return rawFull(spec.options);
    case 'graphile-worker':
      return graphileWorker(spec.options);
    case 'pg-boss':
      return pgBoss(spec.options);
    case 'bullmq-redis':
      return bullMqOnRedis(spec.options);
    case 'bullmq-postgres':
      return bullMqOnPostgres(spec.options);
    case 'dbos':
      return dbos(spec.options);
  }
}
