import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { TaskStatus } from '@/lib/contract/api';
import type { Tx } from '@/lib/db/client';
import { type SumName, sumNames, sumsOfCells } from '@/lib/figures/fact-columns';
import type { Cover, Span } from './periods';
import { cellCondition, type Selection } from './selection';

/** Sums of one period, agent and status; numbers as Postgres' text. */
export interface SumRow extends Record<SumName, string> {
  /** Start of the period, milliseconds since 1970. */
  readonly at_ms: number;
  readonly agent_id: string;
  readonly status: TaskStatus;
}

/** A histogram: how many by key. */
export interface HistogramRow {
  readonly at_ms: number;
  readonly keys: readonly number[];
  readonly counts: readonly number[];
}

/** Sums with their histogram, by client, too; no client is an empty one. */
export interface FineRow extends SumRow, HistogramRow {
  readonly client: string;
}

/** Whole periods. */
export type Periods = Pick<Cover, 'month' | 'day' | 'hour' | 'looseHours'>;

const ALL_CLIENTS = 1;
const ALL_AGENTS = 2;

/** The sums of the covered periods, by period, agent and status. */
export async function readSums(tx: Tx, periods: Periods, selection: Selection): Promise<SumRow[]> {
  const source = cells(periods, selection, { agents: true, clients: selection.clients !== null });
  const { rows } = await tx.execute<SumRow & Record<string, unknown>>(sql`
    /* dashboard.metrics_sums */
    select ${epochMs(sql`c.start`)} as at_ms, c.agent_id, c.status, ${sumsOfCells('c')}
    from (${source(sumNames('c'))}) c
    group by 1, 2, 3`);
  return rows;
}

/** The histograms of the covered periods; several of each. */
export async function readHistograms(
  tx: Tx,
  periods: Periods,
  selection: Selection,
): Promise<HistogramRow[]> {
  const source = cells(periods, selection, {
    agents: selection.agents !== null,
    clients: selection.clients !== null,
  });
  const { rows } = await tx.execute<ArraysAsText & { at_ms: number }>(sql`
    /* dashboard.metrics_histograms */
    select ${epochMs(sql`c.start`)} as at_ms, c.keys::text as keys, c.counts::text as counts
    from (${source(sql`c.keys, c.counts`)}) c`);
  return rows.map((row) => ({ at_ms: row.at_ms, ...parseArrays(row) }));
}

/** All there is of some hours that are being written to, for whatever is asked. */
export async function readFineCells(tx: Tx, hours: readonly number[]): Promise<FineRow[]> {
  const { rows } = await tx.execute<Omit<FineRow, 'keys' | 'counts'> & ArraysAsText>(sql`
    /* dashboard.metrics_moving */
    select ${epochMs(sql`c.start`)} as at_ms, c.agent_id, c.client, c.status, ${sumNames('c')},
      c.keys::text as keys, c.counts::text as counts
    from tickmark.usage_hourly c
    where c.level = 0 and c.start = any(${sql.param(hours.map(instantText))}::timestamptz[])`);
  return rows.map((row) => ({ ...row, ...parseArrays(row) }));
}

interface ArraysAsText extends Record<string, unknown> {
  keys: string;
  counts: string;
}

/** Postgres arrays in their text form, `{1000000,1000005}`: a fraction of what reading them as arrays takes. */
function parseArrays({ keys, counts }: ArraysAsText): { keys: number[]; counts: number[] } {
  const parse = (text: string) => JSON.parse(`[${text.slice(1, -1)}]`) as number[];
  return { keys: parse(keys), counts: parse(counts) };
}

/** An instant in milliseconds since 1970. */
export function epochMs(instant: SQL): SQL {
  return sql`extract(epoch from ${instant})::float8 * 1000`;
}

/** Two arrays to be unnested: where spans begin and where they end. */
export function spanArrays(spans: readonly Span[]): SQL {
  const instants = (of: (span: Span) => number) =>
    sql`${sql.param(spans.map((span) => instantText(of(span))))}::timestamptz[]`;
  return sql`unnest(${instants(({ lo }) => lo)}, ${instants(({ hi }) => hi)}) as i (lo, hi)`;
}

/** JavaScript writes these in a way that Postgres does not read: years with a sign and six digits, and the year 0. */
const YEAR_10000_MS = Date.UTC(10_000, 0);
const YEAR_1_MS = Date.parse('0001-01-01T00:00:00Z');

/** An instant for Postgres; what lies before or after all that a row may hold is without an end. */
export function instantText(ms: number): string {
  if (ms >= YEAR_10000_MS) return 'infinity';
  return ms < YEAR_1_MS ? '-infinity' : new Date(ms).toISOString();
}

/** A query for some columns of all cells that a cover means. */
function cells(
  cover: Periods,
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
    if (cover.looseHours.length > 0 || parts.length === 0) {
      const starts = sql.param(cover.looseHours.map(instantText));
      parts.push(sql`
      select ${base}, ${columns}
      from unnest(${starts}::timestamptz[]) as h (start)
      join tickmark.usage_hourly c on c.level = 0 and c.start = h.start
      where ${cellCondition(selection, 'c', { agents: true, clients: true })}`);
    }
    return sql.join(parts, sql` union all `);
  };
}
