import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { StatusCounts } from '@/lib/contract/api';
import type { Metrics, MetricsPoint, MetricsQuery, MetricsTotals } from '@/lib/contract/api-metrics';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { isoInstant } from '../sql-values';
import { instantText } from './cells';
import { computeCostState } from './compute-cost-state';
import { type QuantileRow, readExactQuantiles } from './exact';
import { confidenceBars, growingBars } from './histogram';
import { type KeptBy, readCells } from './kept-cells';
import { type LooseRow, readAllFacts, readLoose } from './loose';
import { coverRange, type Grain, type Span, type Stale, spanOf } from './periods';
import { readQueueHistory } from './queue-history';
import { needsFacts, type Selection, selectionOf } from './selection';
import { Tally } from './tally';

/** Up to so many hours are shown by the hour, up to so many days by the day, longer ranges by the month (UTC). */
const HOURLY_UP_TO_MS = 72 * 3_600_000;
const DAILY_UP_TO_MS = 124 * 86_400_000;
const EXACT_UP_TO = 2_000;

export interface MetricsOptions {
  /** What an hour of a run costs, in US dollars; null = not known. */
  readonly computeUsdPerHour: string | null;
  /** Over so few tasks medians come from the rows, which costs nothing; default 2,000. */
  readonly exactUpTo?: number;
}

interface Around {
  readonly tx: Tx;
  readonly selection: Selection;
  readonly stale: Stale;
  readonly keptBy: KeptBy;
  readonly options: MetricsOptions;
}

/**
 * Every figure over the tasks that the filters choose, as of one moment: sums of whole hours, days and months from the
 * roll-up, the ends of the range and all that has changed since from the rows. Counts, tokens and money are exact.
 */
export async function readMetrics(
  db: Db,
  query: MetricsQuery,
  scope: ClientScope,
  options: MetricsOptions,
): Promise<Metrics> {
  return withTransaction(db, async (tx) => {
    // All statements see the same moment: what is folded in between must be neither missing nor counted twice.
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    const selection = selectionOf(query, scope);
    const { nowMs, stale, generation, first, last } = await readState(tx, selection);
    const range = spanOf(query);
    const bucket = decideBucket(toMs(query.from) ?? first, toMs(query.to) ?? last);
    const around = { tx, selection, stale, keptBy: { pool: db, generation }, options };
    const read = await readRange(around, range, bucket);
    const quantiles = await exactWhereCheap(around, range, bucket, read, query.exact ?? false);
    const { all } = read;
    return {
      ...all.totals(quantiles?.get(null), options.computeUsdPerHour),
      approximate: quantiles === null,
      computeCost: await computeCostState(tx, query, scope),
      previous: await readPrevious(around, range, nowMs, query.exact ?? false),
      bucket,
      series: toSeries(read, quantiles),
      responseDistribution: growingBars(all.histogram.bins('response')),
      confidenceDistribution: confidenceBars(all.histogram.bins('confidence')),
      queue: await readQueueHistory(tx, range, selection, bucket),
      asOf: new Date(nowMs).toISOString(),
    };
  });
}

/** How many tasks of each status there are among those that a viewer may see, in the snapshot of a transaction. */
export async function readStatusCounts(tx: Tx, scope: ClientScope): Promise<StatusCounts> {
  const selection = selectionOf({}, scope);
  const { stale, generation } = await readState(tx, selection);
  const around = {
    tx,
    selection,
    stale,
    keptBy: { pool: null, generation },
    options: { computeUsdPerHour: null },
  };
  return (await readRange(around, spanOf({}), 'month')).all.counts;
}

/** The time that the runs of the chosen tasks took together, in seconds, to the last digit. */
export async function readRunSeconds(db: Db, query: MetricsQuery, scope: ClientScope): Promise<string> {
  return withTransaction(db, async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    const selection = selectionOf(query, scope);
    const { stale, generation } = await readState(tx, selection);
    const around = {
      tx,
      selection,
      stale,
      keptBy: { pool: db, generation },
      options: { computeUsdPerHour: null },
    };
    return (await readRange(around, spanOf(query), 'month')).all.runSeconds;
  });
}

const toMs = (instant: string | undefined) => (instant === undefined ? undefined : Date.parse(instant));

interface StateRow extends Record<string, unknown> {
  now_ms: number;
  generation: string;
  stale: readonly { readonly grain: Grain; readonly ms: number }[];
  first: string | null;
  last: string | null;
}

/** When it is, which periods are not to be read from the sums, and the first and last of the chosen tasks. */
export async function readState(tx: Tx, { extractions }: Selection) {
  const some = extractions ? sql`where t.extraction_id = any(${sql.param([...extractions])}::uuid[])` : sql``;
  const { rows } = await tx.execute<StateRow>(sql`
    /* dashboard.metrics_state */
    select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
      (select u.generation::text from tickmark.usage_state u) as generation,
      (select ${isoInstant(sql`min(t.created_at)`)} from tickmark.tasks t ${some}) as first,
      (select ${isoInstant(sql`max(t.created_at)`)} from tickmark.tasks t ${some}) as last,
      coalesce((
        select jsonb_agg(jsonb_build_object('grain', s.grain, 'ms', extract(epoch from s.start)::float8 * 1000))
        from tickmark.usage_stale s
      ), '[]') as stale`);
  const row = rows[0];
  if (row === undefined) throw new Error('a query without conditions gave no row');
  const startsOf = (grain: Grain) => row.stale.filter((one) => one.grain === grain).map((one) => one.ms);
  const stale: Stale = { month: startsOf('month'), day: startsOf('day'), hour: startsOf('hour') };
  return {
    nowMs: row.now_ms,
    generation: row.generation,
    stale,
    first: toMs(row.first ?? undefined),
    last: toMs(row.last ?? undefined),
  };
}

function decideBucket(from: number | undefined, to: number | undefined): Grain {
  const length = from === undefined || to === undefined ? 0 : to - from;
  if (length <= HOURLY_UP_TO_MS) return 'hour';
  return length <= DAILY_UP_TO_MS ? 'day' : 'month';
}

/** All chosen tasks, by bucket, and by agent within it. */
interface RangeRead {
  readonly all: Tally;
  readonly buckets: ReadonlyMap<
    number,
    { readonly tally: Tally; readonly agents: ReadonlyMap<string, Tally> }
  >;
}

async function readRange(
  { tx, selection, stale, keptBy }: Around,
  range: Span,
  bucket: Grain,
): Promise<RangeRead> {
  const all = new Tally();
  const buckets = new Map<number, { tally: Tally; agents: Map<string, Tally> }>();
  const bucketOf = (ms: number) => getOrMake(buckets, ms, () => ({ tally: new Tally(), agents: new Map() }));
  const agentOf = (ms: number, agent: string) => getOrMake(bucketOf(ms).agents, agent, () => new Tally());
  const addLoose = (row: LooseRow) => {
    for (const tally of [all, bucketOf(row.at_ms).tally]) tally.addLoose(row);
    agentOf(row.at_ms, row.agent_id).addSums(row);
  };
  if (needsFacts(selection)) {
    (await readAllFacts(tx, range, selection, bucket)).forEach(addLoose);
    return { all, buckets };
  }
  const cover = coverRange(range, bucket, stale);
  const { sums, histograms } = await readCells(tx, keptBy, cover, selection, bucket);
  for (const row of sums) {
    for (const tally of [all, bucketOf(row.at_ms).tally, agentOf(row.at_ms, row.agent_id)])
      tally.addSums(row);
  }
  for (const row of histograms) {
    for (const tally of [all, bucketOf(row.at_ms).tally]) tally.addHistogram(row);
  }
  (await readLoose(tx, range, cover, selection, bucket)).forEach(addLoose);
  return { all, buckets };
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const made = make();
  map.set(key, made);
  return made;
}

/** Medians from the rows, by bucket, `null` standing for all: when asked for, or when there are few. */
async function exactWhereCheap(
  { tx, selection, options }: Around,
  range: Span,
  bucket: Grain,
  { all }: RangeRead,
  isAsked: boolean,
): Promise<ReadonlyMap<number | null, QuantileRow> | null> {
  if (!isAsked && all.tasks > (options.exactUpTo ?? EXACT_UP_TO)) return null;
  const rows = await readExactQuantiles(tx, range, selection, bucket);
  return new Map(rows.map((row) => [row.at_ms, row]));
}

async function readPrevious(
  around: Around,
  range: Span,
  nowMs: number,
  isExact: boolean,
): Promise<(MetricsTotals & { from: string; to: string }) | null> {
  if (!Number.isFinite(range.lo)) return null;
  const length = (Number.isFinite(range.hi) ? range.hi : nowMs) - range.lo;
  const before = { lo: range.lo - length, hi: range.lo };
  if (length <= 0 || before.lo < 0) return null;
  const read = await readRange(around, before, 'month');
  const quantiles = await exactWhereCheap(around, before, 'month', read, isExact);
  return {
    ...read.all.totals(quantiles?.get(null), around.options.computeUsdPerHour),
    from: instantText(before.lo),
    to: instantText(before.hi),
  };
}

function toSeries(
  { buckets }: RangeRead,
  quantiles: ReadonlyMap<number | null, QuantileRow> | null,
): MetricsPoint[] {
  return [...buckets]
    .filter(([, { tally }]) => tally.tasks > 0)
    .sort(([a], [b]) => a - b)
    .map(([ms, { tally, agents }]) => ({
      at: new Date(ms).toISOString(),
      counts: tally.counts,
      inputTokens: tally.inputTokens.toNumber(),
      outputTokens: tally.outputTokens.toNumber(),
      llmCostUsd: tally.llmCostUsd.toFixed(),
      ...tally.response(quantiles?.get(ms)),
      agents: [...agents]
        .filter(([, one]) => one.tasks > 0)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([agent, one]) => ({
          agent,
          inputTokens: one.inputTokens.toNumber(),
          outputTokens: one.outputTokens.toNumber(),
          llmCostUsd: one.llmCostUsd.toFixed(),
        })),
    }));
}
