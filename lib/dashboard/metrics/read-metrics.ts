import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { StatusCounts } from '@/lib/contract/api';
import type { Metrics, MetricsQuery, MetricsTotals } from '@/lib/contract/api-metrics';
import type { Db, Tx } from '@/lib/db/client';
import { type Buckets, bucketsOf, inUtc } from './buckets';
import { epochMs, instantText } from './cells';
import { computeCostState } from './compute-cost-state';
import { type QuantileRow, readExactQuantiles } from './exact';
import { gather } from './gather';
import type { Gathered } from './gathered';
import { confidenceBars, growingBars } from './histogram';
import { inMoment, type Moment, momentOf } from './moment';
import { type Span, spanOf } from './periods';
import { readQueueHistory } from './queue-history';
import { type Selection, selectionOf } from './selection';
import { toSeries } from './series';

/** Up to so many hours are shown by the hour, up to so many days by the day, longer ranges by the month. */
const HOURLY_UP_TO_MS = 72 * 3_600_000;
const DAILY_UP_TO_MS = 124 * 86_400_000;
const EXACT_UP_TO = 2_000;
const MINUTE_MS = 60_000;
/** So much made-up history has months in UTC. */
const LONGEST_MS = 200 * 366 * 86_400_000;

export interface MetricsOptions {
  /** What an hour of a run costs, in US dollars; null = not known. */
  readonly computeUsdPerHour: string | null;
  /** Over so few tasks medians come from the rows, which costs nothing; default 2,000. */
  readonly exactUpTo?: number;
}

/**
 * Every figure over the tasks that the filters choose, as of one moment: sums of whole hours, days and months from the
 * roll-up, the ends of the range and all that has changed since from the rows. Counts, tokens and money are exact.
 */
export function readMetrics(
  db: Db,
  query: MetricsQuery,
  scope: ClientScope,
  options: MetricsOptions,
): Promise<Metrics> {
  return inMoment(db, (moment) => metricsAt(moment, query, scope, options));
}

/** The same at a moment that others may be asking at, too. */
export async function metricsAt(
  moment: Moment,
  query: MetricsQuery,
  scope: ClientScope,
  options: MetricsOptions,
): Promise<Metrics> {
  const { tx, nowMs } = moment;
  const selection = selectionOf(query, scope);
  const range = spanOf(query);
  const timeZone = query.timeZone ?? 'UTC';
  const buckets = await decideBuckets(moment, selection, range, timeZone);
  const read = await gather(moment, selection, range, buckets);
  const around = { moment, selection, options, isExact: query.exact ?? false };
  const quantiles = await exactWhereCheap(around, range, buckets, read);
  const all = read.total;
  return {
    ...all.totals(quantiles?.get(null), options.computeUsdPerHour),
    approximate: quantiles === null,
    computeCost: await computeCostState(tx, query, scope),
    previous: await readPrevious(around, range),
    bucket: buckets.grain,
    timeZone: buckets.timeZone,
    series: toSeries(read, quantiles),
    responseDistribution: growingBars(all.histogram.bins('response')),
    confidenceDistribution: confidenceBars(all.histogram.bins('confidence')),
    queue: [...(await readQueueHistory(moment, range, selection))],
    asOf: new Date(nowMs).toISOString(),
  };
}

/**
 * How many tasks of each status there are among those that a viewer may see, in the snapshot of a transaction.
 * @param db whose kept parts are used
 */
export async function readStatusCounts(tx: Tx, db: Db, scope: ClientScope): Promise<StatusCounts> {
  const read = await gather(await momentOf(tx, db), selectionOf({}, scope), spanOf({}), inUtc('month'));
  return read.total.counts;
}

/** The time that the runs of the chosen tasks took together, in seconds, to the last digit. */
export function readRunSeconds(db: Db, query: MetricsQuery, scope: ClientScope): Promise<string> {
  return inMoment(db, async (moment) => {
    const read = await gather(moment, selectionOf(query, scope), spanOf(query), inUtc('month'));
    return read.total.runSeconds;
  });
}

/** Hours, days or months, as long as the range, or what there is of it, is. */
async function decideBuckets(
  { tx, first, last, nowMs }: Moment,
  selection: Selection,
  range: Span,
  timeZone: string,
): Promise<Buckets> {
  const ends = selection.extractions ? await endsOf(tx, selection.extractions) : { first, last };
  const lo = Number.isFinite(range.lo) ? range.lo : (ends.first ?? nowMs);
  const hi = Math.max(lo, Number.isFinite(range.hi) ? range.hi : (ends.last ?? nowMs));
  const length = hi - lo;
  const grain = length <= HOURLY_UP_TO_MS ? 'hour' : length <= DAILY_UP_TO_MS ? 'day' : 'month';
  // A range may begin or end thousands of years away from any task.
  const start = Math.max(lo, ends.first ?? nowMs);
  const end = Math.max(start, Math.min(hi, ends.last ?? nowMs));
  return bucketsOf(grain, end - start > LONGEST_MS ? 'UTC' : timeZone, { lo: start, hi: end + 1 });
}

/** When the first and the last task of some extractions was created. */
async function endsOf(tx: Tx, extractions: readonly string[]) {
  const { rows } = await tx.execute<{ first: number | null; last: number | null }>(sql`
    /* dashboard.metrics_ends */
    select ${epochMs(sql`min(t.created_at)`)} as first, ${epochMs(sql`max(t.created_at)`)} as last
    from tickmark.tasks t
    where t.extraction_id = any(${sql.param([...extractions])}::uuid[])`);
  return rows[0] ?? { first: null, last: null };
}

interface Around {
  readonly moment: Moment;
  readonly selection: Selection;
  readonly options: MetricsOptions;
  readonly isExact: boolean;
}

/** Medians from the rows, by bucket, `null` standing for all: when asked for, or when there are few. */
async function exactWhereCheap(
  { moment, selection, options, isExact }: Around,
  range: Span,
  buckets: Buckets,
  { total }: Gathered,
): Promise<ReadonlyMap<number | null, QuantileRow> | null> {
  if (!isExact && total.tasks > (options.exactUpTo ?? EXACT_UP_TO)) return null;
  const rows = await readExactQuantiles(moment.tx, range, selection, buckets);
  return new Map(rows.map((row) => [row.at_ms, row]));
}

/** Of an open range, the length until now, to the minute: else it would be another question each time. */
async function readPrevious(
  around: Around,
  range: Span,
): Promise<(MetricsTotals & { from: string; to: string }) | null> {
  if (!Number.isFinite(range.lo)) return null;
  const { moment, selection, options } = around;
  const isOpen = !Number.isFinite(range.hi);
  const length = isOpen ? Math.floor((moment.nowMs - range.lo) / MINUTE_MS) * MINUTE_MS : range.hi - range.lo;
  const before = { lo: range.lo - length, hi: range.lo };
  if (length <= 0 || before.lo < 0) return null;
  const read = await gather(moment, selection, before, inUtc('month'));
  const quantiles = await exactWhereCheap(around, before, inUtc('month'), read);
  return {
    ...read.total.totals(quantiles?.get(null), options.computeUsdPerHour),
    from: instantText(before.lo),
    to: instantText(before.hi),
  };
}
