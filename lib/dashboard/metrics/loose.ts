import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '@/lib/db/client';
import { factColumns, sumsOfFacts } from '@/lib/figures/fact-columns';
import { bucketMs, instantText, type SumRow, spanArrays } from './cells';
import type { Cover, Grain, Span } from './periods';
import { factCondition, type Selection } from './selection';

/** Sums of tasks that no cell holds, less those that a cell holds and that are no longer so. */
export interface LooseRow extends SumRow {
  /** Histogram keys of what is added and of what is taken out, separated by commas. */
  readonly added: string | null;
  readonly removed: string | null;
}

const KEYS = (sign: number) =>
  sql`string_agg(array_to_string(s.keys, ','), ',') filter (where s.sign = ${sql.raw(String(sign))} and s.keys <> '{}')`;

/** What makes the sums of a cover the truth of this moment: the edges of the range, and all that has changed since. */
export async function readLoose(
  tx: Tx,
  range: Span,
  cover: Cover,
  selection: Selection,
  bucket: Grain,
): Promise<LooseRow[]> {
  const inRange = (alias: string) => sql`${createdIn(alias, range)} and ${factCondition(selection, alias)}`;
  const inEdge = sql`exists (select from ${spanArrays(cover.edges)} where f.created_at >= i.lo and f.created_at < i.hi)`;
  return sumUpLoose(
    tx,
    bucket,
    sql`
    select 1 as sign, ${factColumns('f')}
    from ${spanArrays(cover.edges)}
    join tickmark.task_facts f on f.created_at >= i.lo and f.created_at < i.hi
    where ${factCondition(selection, 'f')} and f.task_id not in (select task_id from changed)
    union all
    select -1, ${factColumns('f')}
    from changed join tickmark.task_facts f using (task_id)
    where ${inRange('f')} and not ${inEdge}
    union all
    select 1, ${factColumns('l')}
    from changed join tickmark.live_facts l using (task_id)
    where ${inRange('l')}`,
  );
}

/** The same of all tasks of a range, one by one. */
export async function readAllFacts(
  tx: Tx,
  range: Span,
  selection: Selection,
  bucket: Grain,
): Promise<LooseRow[]> {
  return sumUpLoose(tx, bucket, currentFacts(range, selection));
}

/** The facts of the chosen tasks as of now, to be read beside a CTE {@link CHANGED}. */
export function currentFacts(range: Span, selection: Selection): SQL {
  const chosen = (alias: string) => sql`${createdIn(alias, range)} and ${factCondition(selection, alias)}`;
  return sql`
    select 1 as sign, ${factColumns('f')}
    from tickmark.task_facts f
    where ${chosen('f')} and f.task_id not in (select task_id from changed)
    union all
    select 1, ${factColumns('l')}
    from changed join tickmark.live_facts l using (task_id)
    where ${chosen('l')}`;
}

/** Tasks whose facts are out of date. */
export const CHANGED: SQL = sql`changed as materialized (select task_id from tickmark.changed_tasks())`;

/** The condition that facts `alias` were created in a span. */
export function createdIn(alias: string, { lo, hi }: Span): SQL {
  const column = sql.raw(`${alias}.created_at`);
  const conditions = [sql`true`];
  if (Number.isFinite(lo)) conditions.push(sql`${column} >= ${instantText(lo)}::timestamptz`);
  if (Number.isFinite(hi)) conditions.push(sql`${column} < ${instantText(hi)}::timestamptz`);
  return sql.join(conditions, sql` and `);
}

async function sumUpLoose(tx: Tx, bucket: Grain, source: SQL): Promise<LooseRow[]> {
  const { rows } = await tx.execute<LooseRow & Record<string, unknown>>(sql`
    /* dashboard.metrics_loose */
    with ${CHANGED}
    select ${bucketMs(bucket, sql`s.created_at`)} as at_ms, s.agent_id, s.status, ${sumsOfFacts('s', sql`s.sign`)},
      ${KEYS(1)} as added, ${KEYS(-1)} as removed
    from (${source}) s
    group by 1, 2, 3`);
  return rows;
}
