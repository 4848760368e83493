import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '@/lib/db/client';
import { factColumns, sumsOfFacts } from '@/lib/figures/fact-columns';
import { type Buckets, bucketMs } from './buckets';
import { epochMs, type FineRow, instantText, spanArrays } from './cells';
import type { Span } from './periods';
import { factCondition, type Selection } from './selection';

/** As it comes from Postgres: the keys of what is added and of what is taken out, separated by commas. */
interface LooseRow extends Omit<FineRow, 'keys' | 'counts'>, Record<string, unknown> {
  readonly added: string | null;
  readonly removed: string | null;
}

const KEYS = (sign: number) =>
  sql`string_agg(array_to_string(s.keys, ','), ',') filter (where s.sign = ${sql.raw(String(sign))} and s.keys <> '{}')`;

/**
 * What makes sums and facts the truth of this moment: tasks that have changed since, less what their facts say. By the minute
 * of their creation.
 * @param chosen only of these, in a range; default: all there are
 */
export async function readChanges(
  tx: Tx,
  chosen?: { readonly range: Span; readonly selection: Selection },
): Promise<FineRow[]> {
  const where = (alias: string) =>
    chosen ? sql`${createdIn(alias, chosen.range)} and ${factCondition(chosen.selection, alias)}` : sql`true`;
  return sumUp(
    tx,
    epochMs(sql`date_bin('1 minute', s.created_at, '2000-01-01Z')`),
    sql`
    select -1 as sign, ${factColumns('f')}
    from changed join tickmark.task_facts f using (task_id)
    where ${where('f')}
    union all
    select 1, ${factColumns('l')}
    from changed join tickmark.live_facts l using (task_id)
    where ${where('l')}`,
  );
}

/** The facts of parts of hours, by part. */
export async function readEdges(tx: Tx, edges: readonly Span[], selection: Selection): Promise<FineRow[]> {
  if (edges.length === 0) return [];
  return sumUp(
    tx,
    epochMs(sql`s.lo`),
    sql`
    select 1 as sign, i.lo, ${factColumns('f')}
    from ${spanArrays(edges)}
    join tickmark.task_facts f on f.created_at >= i.lo and f.created_at < i.hi
    where ${factCondition(selection, 'f')}`,
  );
}

/** All tasks of a range as they are now, one by one, by bucket. */
export async function readAllFacts(
  tx: Tx,
  range: Span,
  selection: Selection,
  buckets: Buckets,
): Promise<FineRow[]> {
  return sumUp(tx, bucketMs(buckets, sql`s.created_at`), currentFacts(range, selection));
}

/**
 * The facts of the chosen tasks as of now, to be read beside a CTE {@link CHANGED}.
 * @param matches a further condition on facts of this alias
 */
export function currentFacts(
  range: Span,
  selection: Selection,
  matches: (alias: string) => SQL = () => sql`true`,
): SQL {
  const chosen = (alias: string) =>
    sql`${createdIn(alias, range)} and ${factCondition(selection, alias)} and ${matches(alias)}`;
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

async function sumUp(tx: Tx, at: SQL, source: SQL): Promise<FineRow[]> {
  const { rows } = await tx.execute<LooseRow>(sql`
    /* dashboard.metrics_loose */
    with ${CHANGED}
    select ${at} as at_ms, s.agent_id, coalesce(s.client, '') as client, s.status, ${sumsOfFacts('s', sql`s.sign`)},
      ${KEYS(1)} as added, ${KEYS(-1)} as removed
    from (${source}) s
    group by 1, 2, 3, 4`);
  return rows.map(({ added, removed, ...row }) => {
    const [more, less] = [parseKeys(added), parseKeys(removed)];
    return {
      ...row,
      keys: [...more, ...less],
      counts: [...more.map(() => 1), ...less.map(() => -1)],
    };
  });
}

function parseKeys(text: string | null): number[] {
  return text ? (JSON.parse(`[${text}]`) as number[]) : [];
}
