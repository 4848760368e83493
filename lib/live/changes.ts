import 'server-only';
import { sql } from 'drizzle-orm';
import type { StatusCounts, TaskStatus } from '@/lib/contract/api';
import type { ChangeEvent } from '@/lib/contract/live';
import type { Db } from '@/lib/db/client';

/** More changed tasks than this are not listed one by one; clients refetch. */
const MAX_LISTED = 200;
/** A transaction that was slow to commit may bring an event with an id below the newest seen by so much. */
const OVERLAP = 1_000;

interface EventRow extends Record<string, unknown> {
  id: string;
  task_id: string;
}

interface TaskRow extends Record<string, unknown> {
  id: string;
  status: TaskStatus;
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
}

/** Reads `task_events` past a cursor that it keeps, and the counts. Not to be called again before it has answered. */
export class ChangeReader {
  private cursor: number | null = null;
  private seen = new Set<number>();

  constructor(private readonly db: Db) {}

  /** Where the reader stands; grows with every event and serves as the id of sent events. */
  get position(): number {
    return this.cursor ?? 0;
  }

  /** Changes since the last call; the first call only finds out where to start. */
  async read(): Promise<Changes> {
    const fresh = await this.readEvents();
    const taskIds = [...new Set(fresh.map((event) => event.task_id))];
    const [tasks, counts] = await Promise.all([
      this.readTasks(taskIds.slice(0, MAX_LISTED)),
      this.readCounts(),
    ]);
    return {
      at: new Date().toISOString(),
      counts,
      tasks,
      newEvents: fresh.length,
      truncated: taskIds.length > MAX_LISTED,
    };
  }

  private async readEvents(): Promise<EventRow[]> {
    const first = this.cursor === null;
    const from = first ? 0 : (this.cursor ?? 0) - OVERLAP;
    const { rows } = await this.db.execute<EventRow>(sql`
      /* live.events */
      select e.id::text as id, e.task_id
      from tickmark.task_events e
      where e.id > ${from}::bigint
      order by e.id desc
      limit ${OVERLAP + 5 * MAX_LISTED}`);
    const fresh = rows.filter((row) => !this.seen.has(Number(row.id)));
    const newest = Math.max(this.position, ...rows.map((row) => Number(row.id)));
    this.cursor = newest;
    this.seen = new Set(rows.map((row) => Number(row.id)).filter((id) => id > newest - OVERLAP));
    return first ? [] : fresh;
  }

  private async readTasks(ids: readonly string[]): Promise<ChangedTask[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.db.execute<TaskRow>(sql`
      /* live.tasks */
      select t.id, t.status, t.agent_id, t.extraction_id, x.client
      from tickmark.tasks t
      left join tickmark.extractions x on x.id = t.extraction_id
      where t.id = any(${sql.param([...ids])}::uuid[])`);
    return rows.map((row) => ({
      task: { id: row.id, status: row.status, agent: row.agent_id, extractionId: row.extraction_id },
      client: row.client,
    }));
  }

  private async readCounts(): Promise<StatusCounts> {
    const { rows } = await this.db.execute<{ status: TaskStatus; count: string }>(sql`
      /* live.counts */
      select t.status, count(*)::text as count
      from tickmark.tasks t
      group by t.status`);
    const counts: StatusCounts = { enqueued: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 };
    for (const row of rows) counts[row.status] = Number(row.count);
    return counts;
  }
}
