import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { type StatusCounts, TASK_STATUSES, type TaskStatus } from '@/lib/contract/api';
import type { ChangeEvent } from '@/lib/contract/live';
import type { Db, Queryable } from '@/lib/db/client';
import { countTasks } from './count-tasks';
import { EventCursor } from './event-cursor';

/** More changed tasks than this are not listed one by one; clients refetch. */
const MAX_LISTED = 200;
/** More events than this are not added up: all is counted anew. */
const MAX_EVENTS = 2_000;
/** Counting anew takes no more than this share of the time. */
const RECOUNT_SHARE = 0.1;
/** And it is done this often while anything changes, whatever the sums say. */
const RECOUNT_EVERY_MS = 60_000;

interface EventRow extends Record<string, unknown> {
  id: string;
  task_id: string;
  from_status: TaskStatus | null;
  to_status: TaskStatus;
  status: TaskStatus | null;
  agent_id: string;
  extraction_id: string | null;
  client: string | null;
}

/** A changed task with what decides who may see it. */
export interface ChangedTask {
  readonly task: ChangeEvent['tasks'][number];
  readonly client: string | null;
}

export interface Changes {
  readonly at: string;
  readonly counts: StatusCounts;
  readonly tasks: readonly ChangedTask[];
  /** Event rows that were not seen before. */
  readonly newEvents: number;
  readonly truncated: boolean;
  /** Counted from the tables just now; else the last count and what the events since then add up to. */
  readonly counted: boolean;
}

/**
 * Reads `task_events` past a cursor that it keeps, and the counts: from the tables now and then, in the same snapshot
 * as the events, and in between by adding up from where to where each event took its task. Not to be called again
 * before it has answered.
 */
export class ChangeReader {
  private readonly cursor = new EventCursor();
  private counts: StatusCounts | null = null;
  private countedAt = 0;
  private mayCountAt = 0;
  private doubtful = false;
  /** Which making anew of the figures the counts are of. */
  private remade: string | null = null;

  constructor(private readonly db: Db) {}

  /** Where the reader stands; grows with every event and serves as the id of sent events. */
  get position(): number {
    return this.cursor.position;
  }

  /** In how many ms something that no event has told can be looked for; `null`: there is no sign of such a thing. */
  get looksAgainIn(): number | null {
    return this.doubtful ? Math.max(0, this.mayCountAt - performance.now()) : null;
  }

  /** Changes since the last call; the first call only finds out where to start. */
  async read(): Promise<Changes> {
    if (!this.counts) return this.recount();
    const now = performance.now();
    if ((this.doubtful || now - this.countedAt > RECOUNT_EVERY_MS) && now >= this.mayCountAt)
      return this.recount();
    const { rows, remade } = await this.readEvents(this.db);
    if (rows.length >= MAX_EVENTS) {
      this.note(rows);
      return { ...(await this.recount()), newEvents: rows.length, truncated: true };
    }
    const sum = addUp(this.counts, rows);
    // A ping that no event explains: a change by hand, or one that was read before its ping came. Or events of tasks that
    // the counts did not know of, which were written without an event, such as made-up history.
    this.doubtful ||= rows.length === 0 || remade !== this.remade || isBelowZero(sum);
    if (this.doubtful && now >= this.mayCountAt) return this.recount();
    this.note(rows);
    this.counts = atLeastZero(sum);
    return this.changes(this.counts, rows, false);
  }

  private async recount(): Promise<Changes> {
    const began = performance.now();
    const first = this.counts === null;
    // One snapshot for both, or an event in between would be counted twice or never.
    const { more, counts } = await countTasks(this.db, null, (tx) => this.readEvents(tx));
    const { rows, remade } = more;
    const now = performance.now();
    this.remade = remade;
    this.note(rows);
    this.counts = counts;
    this.countedAt = now;
    this.mayCountAt = now + (now - began) / RECOUNT_SHARE;
    this.doubtful = false;
    return this.changes(counts, first ? [] : rows, true);
  }

  private note(rows: readonly EventRow[]): void {
    const complete = this.counts !== null && rows.length < MAX_EVENTS;
    this.cursor.note(
      rows.map(({ id }) => Number(id)),
      complete,
      performance.now(),
    );
  }

  private changes(counts: StatusCounts, rows: readonly EventRow[], counted: boolean): Changes {
    const changed = new Map<string, ChangedTask>();
    for (const row of rows) {
      if (row.status === null || changed.has(row.task_id)) continue;
      const { task_id: id, status, agent_id: agent, extraction_id: extractionId, client } = row;
      changed.set(id, { task: { id, status, agent, extractionId }, client });
    }
    const tasks = [...changed.values()];
    return {
      at: new Date().toISOString(),
      counts: { ...counts },
      tasks: tasks.slice(0, MAX_LISTED),
      newEvents: rows.length,
      truncated: tasks.length > MAX_LISTED || rows.length >= MAX_EVENTS,
      counted,
    };
  }

  /**
   * Events, newest first, and which making anew of the figures holds. Each task is looked up by its key, however the planner
   * thinks of it right after a bulk insert.
   */
  private async readEvents(db: Queryable): Promise<{ rows: EventRow[]; remade: string | null }> {
    const { rows } = await db.execute<
      (EventRow | Record<keyof EventRow, null>) & { remade: string | null }
    >(sql`
      /* live.changes */
      select e.id::text as id, e.task_id, e.from_status, e.to_status,
        t.status, t.agent_id, t.extraction_id, t.client, r.remade
      from (select max(generation)::text as remade from tickmark.usage_summed where grain = 'all') r
      left join ${this.unseen()} e on true
      left join lateral (
        select t.status, t.agent_id, t.extraction_id, x.client
        from tickmark.tasks t
        left join tickmark.extractions x on x.id = t.extraction_id
        where t.id = e.task_id
        limit 1
      ) t on true
      order by e.id desc`);
    const isEvent = (row: (typeof rows)[number]): row is EventRow & { remade: string | null } =>
      row.id !== null;
    return { rows: rows.filter(isEvent), remade: rows[0]?.remade ?? null };
  }

  private unseen(): SQL {
    return sql`(
        (select * from tickmark.task_events where id > ${this.position}::bigint
          order by id desc limit ${this.counts ? MAX_EVENTS : MAX_LISTED})
        union all
        select * from tickmark.task_events where id = any(${sql.param(this.cursor.missing)}::bigint[])
      )`;
  }
}

function addUp(counts: StatusCounts, rows: readonly EventRow[]): StatusCounts {
  const sum = { ...counts };
  for (const { from_status: from, to_status: to } of rows) {
    if (from !== null) sum[from] -= 1;
    sum[to] += 1;
  }
  return sum;
}

function isBelowZero(counts: StatusCounts): boolean {
  return Object.values(counts).some((count) => count < 0);
}

/** What is shown until it can be counted anew. */
function atLeastZero(counts: StatusCounts): StatusCounts {
  const shown = { ...counts };
  for (const status of TASK_STATUSES) shown[status] = Math.max(0, shown[status]);
  return shown;
}
