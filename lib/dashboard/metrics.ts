import 'server-only';
import type { ClientScope } from '@/lib/auth/roles';
import type { Config } from '@/lib/config/schema';
import type { Metrics, MetricsQuery } from '@/lib/contract/api-metrics';
import type { Db } from '@/lib/db/client';
import { canonicalFilters } from '@/lib/figures/canonical-filters';
import { dashboardOf } from './dashboard-reads';
import { metricsAt, readMetrics } from './metrics/read-metrics';

interface Runtime {
  readonly db: Db;
  readonly config: Pick<Config, 'computeUsdPerHour'>;
}

/** Every figure of the overview under these filters; what is asked at one time is read at one moment, equal questions once. */
export function metricsFor(
  { db, config }: Runtime,
  query: MetricsQuery,
  scope: ClientScope,
): Promise<Metrics> {
  const options = { computeUsdPerHour: config.computeUsdPerHour };
  // From the rows: that may take seconds, for which nobody else should wait.
  if (query.exact) return readMetrics(db, query, scope, options);
  const question = `metrics ${query.timeZone ?? ''} ${canonicalFilters(query, scope)}`;
  return dashboardOf(db).atMoment(question, (moment) => metricsAt(moment, query, scope, options));
}
