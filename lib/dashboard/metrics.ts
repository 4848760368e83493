import 'server-only';
import type { ClientScope } from '@/lib/auth/roles';
import type { Config } from '@/lib/config/schema';
import type { Metrics, MetricsQuery } from '@/lib/contract/api-metrics';
import type { Db } from '@/lib/db/client';
import { canonicalFilters } from '@/lib/figures/canonical-filters';
import { readMetrics } from './metrics/read-metrics';
import { SharedReads } from './shared-reads';

interface Runtime {
  readonly db: Db;
  readonly config: Pick<Config, 'computeUsdPerHour'>;
}

const shared = new WeakMap<Db, SharedReads<Metrics>>();

/** Every figure of the overview under these filters; equal questions asked at one time share one answer. */
export function metricsFor(
  { db, config }: Runtime,
  query: MetricsQuery,
  scope: ClientScope,
): Promise<Metrics> {
  let reads = shared.get(db);
  if (!reads) {
    reads = new SharedReads();
    shared.set(db, reads);
  }
  const key = `${query.exact ? 'exact ' : ''}${canonicalFilters(query, scope)}`;
  return reads.read(key, () =>
    readMetrics(db, query, scope, { computeUsdPerHour: config.computeUsdPerHour }),
  );
}
