import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { storableJson } from '@/lib/contract/text';
import type { Queryable } from '@/lib/db/client';
import { DomainError } from '@/lib/errors';
import type { Estimate } from './estimate';
import { storableEstimate } from './estimate';

export interface NewTask {
  readonly agentId: string;
  /** 0 to 100, higher first. */
  readonly priority: number;
  readonly extractionId?: string | null;
  readonly documentId?: string | null;
  /** What a task that is no document works on. */
  readonly input?: unknown;
  /** Without one a document waits to be inspected and is not claimable yet; other work counts as none. */
  readonly estimate?: Estimate;
  readonly actor: string;
}

/** Puts one task into the queue, in the caller's transaction when given one. Throws `not_found` for an unknown agent. */
export async function enqueueTask(db: Queryable, task: NewTask): Promise<{ id: string }> {
  const [enqueued] = await enqueueTasks(db, [task]);
  if (!enqueued) throw new Error('enqueueTasks returned nothing for one task');
  return enqueued;
}

/**
 * Puts tasks into the queue in one statement (`enqueue.sql`); all or none. Returned in the order given, which is also the order in
 * which they are claimed within a priority: ids of one process ascend, and break the tie of one `created_at`.
 */
export async function enqueueTasks(db: Queryable, tasks: readonly NewTask[]): Promise<{ id: string }[]> {
  if (tasks.length === 0) return [];
  const flows = new Map<string, number>();
  const rows = tasks.map((task) => ({
    id: uuidv7(),
    place: nextPlace(flows, task),
    agent_id: task.agentId,
    priority: task.priority,
    extraction_id: task.extractionId ?? null,
    document_id: task.documentId ?? null,
    input: task.input === undefined ? null : storableJson(task.input),
    tokens: task.estimate ? storableEstimate(task.estimate).tokens : null,
    seconds: task.estimate ? storableEstimate(task.estimate).seconds : null,
    actor: task.actor,
  }));
  const inserted = await db.execute<{ count: number }>(sql`
    /* queue.enqueue */ select tickmark.enqueue_tasks_v2(${JSON.stringify(rows)}::jsonb) as count`);
  if (inserted.rows[0]?.count !== tasks.length) {
    throw new DomainError(
      'not_found',
      `No such agent: ${[...new Set(tasks.map((task) => task.agentId))].join(', ')}`,
    );
  }
  return rows.map(({ id }) => ({ id }));
}

/** Counts the claimable tasks of one extraction and priority from 0: extractions may take turns. */
function nextPlace(flows: Map<string, number>, task: NewTask): number {
  if (!task.estimate && task.documentId) return 0;
  const flow = `${task.agentId} ${task.priority} ${task.extractionId ?? ''}`;
  const place = flows.get(flow) ?? 0;
  flows.set(flow, place + 1);
  return place;
}
