import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { TaskStatus } from '@/lib/contract/api';
import type { Tx } from '@/lib/db/client';
import { type SumName, sumNames, sumsOfCells } from '@/lib/figures/fact-columns';
import type { Cover, Grain, Span } from './periods';
import { cellCondition, type Selection } from './selection';

/** Sums of one bucket, agent and status; numbers as Postgres' text. */
export interface SumRow extends Record<SumName, string> {
  /** Start of the bucket, milliseconds since 1970. */
  readonly at_ms: number;
  readonly agent_id: string;
  readonly status: TaskStatus;
}

/** A histogram of one bucket and status, as arrays in text form. */
export interface HistogramRow {
  readonly at_ms: number;
  readonly status: TaskStatus;
  readonly keys: string;
  readonly counts: string;
}

const ALL_CLIENTS = 1;
const ALL_AGENTS = 2;

/** The sums of the covered periods, by bucket, agent and status. */
export async function readSums(tx: Tx, cover: Cover, selection: Selection, bucket: Grain): Promise<SumRow[]> {
  const source = cells(cover, selection, { agents: true, clients: selection.clients !== null });
  const { rows } = await tx.execute<SumRow & Record<string, unknown>>(sql`
    /* dashboard.metrics_sums */
    select ${bucketMs(bucket, sql`c.start`)} as at_ms, c.agent_id, c.status, ${sumsOfCells('c')}
    from (${source(sumNames('c'))}) c
    group by 1, 2, 3`);
  return rows;
}

/** The histograms of the covered periods; several per bucket and status. */
export async function readHistograms(
  tx: Tx,
  cover: Cover,
  selection: Selection,
  bucket: Grain,
): Promise<HistogramRow[]> {
  const source = cells(cover, selection, {
    agents: selection.agents !== null,
    clients: selection.clients !== null,
  });
  const { rows } = await tx.execute<HistogramRow & Record<string, unknown>>(sql`
    /* dashboard.metrics_histograms */
    select ${bucketMs(bucket, sql`c.start`)} as at_ms, c.status, c.keys::text as keys, c.counts::text as counts
    from (${source(sql`c.keys, c.counts`)}) c`);
  return rows;
}

/** The start of an instant's bucket (UTC) in milliseconds. */
export function bucketMs(bucket: Grain, instant: SQL): SQL {
  return sql`extract(epoch from date_trunc(${sql.raw(`'${bucket}'`)}, ${instant} at time zone 'utc'))::float8 * 1000`;
}

/** Two arrays to be unnested: where spans begin and where they end. */
export function spanArrays(spans: readonly Span[]): SQL {
  const instants = (of: (span: Span) => number) =>
    sql`${sql.param(spans.map((span) => instantText(of(span))))}::timestamptz[]`;
  return sql`unnest(${instants(({ lo }) => lo)}, ${instants(({ hi }) => hi)}) as i (lo, hi)`;
}

export function instantText(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'infinity';
  return ms === Number.NEGATIVE_INFINITY ? '-infinity' : new Date(ms).toISOString();
}

/** A query for some columns of all cells that a cover means. */
function cells(
  cover: Cover,
  selection: Selection,
  apart: { readonly agents: boolean; readonly clients: boolean },
): (columns: SQL) => SQL {
  const level = (apart.clients ? 0 : ALL_CLIENTS) + (apart.agents ? 0 : ALL_AGENTS);
  const base = sql`c.start, c.agent_id, c.status`;
  const ofSpans = (table: SQL, spans: readonly Span[], columns: SQL) => sql`
    select ${base}, ${columns}
    from ${spanArrays(spans)}
    join ${table} c on c.level = ${sql.raw(String(level))} and c.start >= i.lo and c.start < i.hi
    where ${cellCondition(selection, 'c', apart)}`;
  return (columns) => {
    const parts: SQL[] = [];
    if (cover.month.length > 0) parts.push(ofSpans(sql`tickmark.usage_monthly`, cover.month, columns));
    if (cover.day.length > 0) parts.push(ofSpans(sql`tickmark.usage_daily`, cover.day, columns));
    if (cover.hour.length > 0) parts.push(ofSpans(sql`tickmark.usage_hourly`, cover.hour, columns));
    const starts = sql.param(cover.looseHours.map(instantText));
    // Always there, so that the query is never empty.
    parts.push(sql`
      select ${base}, ${columns}
      from unnest(${starts}::timestamptz[]) as h (start)
      join tickmark.usage_hourly c on c.level = 0 and c.start = h.start
      where ${cellCondition(selection, 'c', { agents: true, clients: true })}`);
    return sql.join(parts, sql` union all `);
  };
}
