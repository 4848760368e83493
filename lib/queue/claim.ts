import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { inOneStatement } from '@/lib/db/transaction';

/** A task with its new attempt, ready to be dispatched. */
export interface ClaimedTask {
  readonly taskId: string;
  readonly attemptId: string;
  /** Counts the task's attempts from 1. */
  readonly number: number;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly documentId: string | null;
  readonly input: unknown;
  readonly traceId: string;
  readonly maxRunSeconds: number;
  readonly priority: number;
}

/** The same as it comes from the database. */
export type ClaimedRow = {
  task_id: string;
  attempt_id: string;
  number: number;
  agent_id: string;
  agent_version: number;
  document_id: string | null;
  input: unknown;
  trace_id: string;
  max_run_seconds: number;
  priority: number;
};

/** A row as the rest of the code knows it; also for claims that are taken over. */
export function claimedTask(row: ClaimedRow): ClaimedTask {
  return {
    taskId: row.task_id,
    attemptId: row.attempt_id,
    number: row.number,
    agentId: row.agent_id,
    agentVersion: row.agent_version,
    documentId: row.document_id,
    input: row.input,
    traceId: row.trace_id,
    maxRunSeconds: row.max_run_seconds,
    priority: row.priority,
  };
}

export interface ClaimOptions {
  /** Unique per process start. */
  readonly workerId: string;
  /** At most so many: the runner's free slots. */
  readonly limit: number;
  /** For agents without a lease of their own. */
  readonly leaseSeconds: number;
  /** Only these agents; all when left out. */
  readonly agentIds?: readonly string[];
}

/**
 * Claims the next due tasks that the limits admit, in order of priority, then age. Exact with any number of callers;
 * how is told in `claim.sql`, the source of the function called here (`FOR UPDATE SKIP LOCKED` and all).
 */
export async function claimTasks(db: Queryable, options: ClaimOptions): Promise<ClaimedTask[]> {
  // Infinity means a runner that queues by itself; a claim still stays short.
  const limit = Math.min(1000, Math.floor(options.limit));
  if (limit < 1 || options.agentIds?.length === 0) return [];
  const agentIds = options.agentIds ? JSON.stringify(options.agentIds) : null;
  return inOneStatement(db, async () => {
    const { rows } = await db.execute<ClaimedRow>(sql`
      /* queue.claim */
      select * from tickmark.claim_tasks_v3(
        ${options.workerId}, ${limit}, ${options.leaseSeconds}::float8,
        (select array_agg(id) from jsonb_array_elements_text(${agentIds}::jsonb) as a (id))
      )`);
    return rows.map(claimedTask);
  });
}
