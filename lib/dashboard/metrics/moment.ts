import 'server-only';
import { sql } from 'drizzle-orm';
import type { QueuePoint } from '@/lib/contract/api-metrics';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { GENERATIONS_TOLD } from '@/lib/figures/sum-up';
import { epochMs, readFineCells } from './cells';
import { type Fine, toFine } from './gathered';
import { KeptParts } from './kept-parts';
import { readChanges } from './loose';
import { type Grain, nextPeriod, type Stale } from './periods';
import { RecentMap } from './recent-map';

const MOST_QUEUES = 128;

/** One moment of the database, as all that is asked at it sees it. */
export interface Moment {
  readonly tx: Tx;
  readonly nowMs: number;
  readonly generation: number;
  readonly stale: Stale;
  /** When the queue was looked at last, as text. */
  readonly sampledAt: string;
  /** When the first and the last task was created; null without tasks. */
  readonly first: number | null;
  readonly last: number | null;
  readonly kept: KeptParts;
  /** What was asked of the queue's history. */
  readonly queues: RecentMap<readonly QueuePoint[]>;
  /** How long reading has taken so far of what all need, however many ask (ms). */
  readonly commonMs: number;
  /** What has changed and is in no fact yet, by the minute; read once for all that is asked. */
  changes(): Promise<readonly Fine[]>;
  /** The hours that are being written to; read once for all that is asked. */
  movingHours(): Promise<readonly Fine[]>;
}

interface StateRow extends Record<string, unknown> {
  now_ms: number;
  generation: string;
  folded: string;
  sampled: string;
  first: number | null;
  last: number | null;
  stale: readonly { readonly grain: Grain; readonly ms: number }[];
  summed: readonly { readonly grain: Grain | 'all'; readonly ms: number | null }[];
}

interface Known {
  readonly kept: KeptParts;
  readonly queues: RecentMap<readonly QueuePoint[]>;
  /** The hours that were being written to, as of `usage_state`. */
  moving: { readonly asOf: string; readonly rows: readonly Fine[] } | null;
}

const known = new WeakMap<Db, Known>();

function knownOf(db: Db | null): Known {
  const mine = (db && known.get(db)) ?? {
    kept: new KeptParts(),
    queues: new RecentMap(MOST_QUEUES),
    moving: null,
  };
  if (db) known.set(db, mine);
  return mine;
}

/** Runs `read` at one moment of the database, in a transaction that only reads; it may be run more than once. */
export function inMoment<T>(db: Db, read: (moment: Moment) => Promise<T>): Promise<T> {
  return withTransaction(db, async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    return read(await momentOf(tx, db));
  });
}

/**
 * The moment of a transaction's snapshot.
 * @param db whose kept parts are used; null: none are
 */
export async function momentOf(tx: Tx, db: Db | null): Promise<Moment> {
  const mine = knownOf(db);
  let commonMs = 0;
  const timed = async <T>(read: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const answer = await read();
    commonMs += performance.now() - began;
    return answer;
  };
  const row = await timed(() => readState(tx, mine.kept.generation));
  const generation = Number(row.generation);
  const isFar = generation - mine.kept.generation > GENERATIONS_TOLD || row.summed.some(isAll);
  mine.kept.moveTo(generation, isFar ? null : row.summed.flatMap(spanOfPeriod));
  const startsOf = (grain: Grain) => row.stale.filter((one) => one.grain === grain).map(({ ms }) => ms);
  const stale = { month: startsOf('month'), day: startsOf('day'), hour: startsOf('hour') };
  let changes: Promise<Fine[]> | undefined;
  return {
    ...{
      tx,
      generation,
      stale,
      nowMs: row.now_ms,
      sampledAt: row.sampled,
      kept: mine.kept,
      queues: mine.queues,
    },
    ...{ first: row.first, last: row.last },
    get commonMs() {
      return commonMs;
    },
    changes() {
      changes ??= timed(async () => (await readChanges(tx)).map(toFine));
      return changes;
    },
    async movingHours() {
      // Nothing writes to the sums without a mark of its own in the state.
      const asOf = `${row.folded} ${generation}`;
      if (mine.moving?.asOf === asOf) return mine.moving.rows;
      const rows = await timed(async () => (await readFineCells(tx, stale.hour)).map(toFine));
      mine.moving = { asOf, rows };
      return rows;
    },
  };
}

async function readState(tx: Tx, sinceGeneration: number): Promise<StateRow> {
  const { rows } = await tx.execute<StateRow>(sql`
    /* dashboard.metrics_state */
    select ${epochMs(sql`clock_timestamp()`)} as now_ms, u.generation::text as generation,
      u.snapshot || u.folded_at::text as folded, u.sampled_at::text as sampled,
      (select ${epochMs(sql`min(t.created_at)`)} from tickmark.tasks t) as first,
      (select ${epochMs(sql`max(t.created_at)`)} from tickmark.tasks t) as last,
      coalesce((
        select jsonb_agg(jsonb_build_object('grain', s.grain, 'ms', ${epochMs(sql`s.start`)}))
        from tickmark.usage_stale s
      ), '[]') as stale,
      coalesce((
        select jsonb_agg(jsonb_build_object('grain', s.grain, 'ms', case when s.grain <> 'all' then ${epochMs(sql`s.start`)} end))
        from tickmark.usage_summed s
        where s.generation > ${sinceGeneration}::bigint
      ), '[]') as summed
    from tickmark.usage_state u`);
  const row = rows[0];
  if (row === undefined) throw new Error('usage_state has no row');
  return row;
}

const isAll = ({ grain }: StateRow['summed'][number]) => grain === 'all';

function spanOfPeriod({ grain, ms }: StateRow['summed'][number]) {
  return grain === 'all' || ms === null ? [] : [{ lo: ms, hi: nextPeriod(grain, ms) }];
}
