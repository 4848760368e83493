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
 * Puts tasks into the queue in one statement; all or none. Returned in the order given, which is also the order in
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
    /* queue.enqueue */
    with new as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (
        id uuid, place integer, agent_id text, priority integer, extraction_id uuid, document_id uuid, input jsonb,
        tokens integer, seconds real, actor text
      )
    ),
    -- Only for agents with an order of their own; what is not inspected yet gets its rank with its estimate.
    ranked as materialized (
      select n.agent_id, n.priority, n.extraction_id, a.fair,
        tickmark.next_claim_rank(n.agent_id, n.priority, n.extraction_id, now(), count(*)) as first
      from new n
      join tickmark.agents a on a.id = n.agent_id and (a.fair or a.ageing_seconds is not null)
      where n.tokens is not null or n.document_id is null
      group by n.agent_id, n.priority, n.extraction_id, a.fair
    ),
    made as (
      insert into tickmark.tasks (
        id, agent_id, priority, extraction_id, document_id, input, estimated_tokens, estimated_seconds, max_attempts,
        claim_rank
      )
      select n.id, n.agent_id, n.priority, n.extraction_id, n.document_id, n.input, n.tokens, n.seconds, a.max_attempts,
        coalesce(r.first + case when r.fair then n.place else 0 end, 0)
      from new n
      join tickmark.agents a on a.id = n.agent_id
      left join ranked r on r.agent_id = n.agent_id and r.priority = n.priority
        and r.extraction_id is not distinct from n.extraction_id and (n.tokens is not null or n.document_id is null)
      where not exists (select from new x where x.agent_id not in (select id from tickmark.agents))
      returning id
    ),
    noted as (
      insert into tickmark.task_events (task_id, to_status, actor, reason)
      select n.id, 'enqueued', n.actor, 'enqueued' from new n join made using (id)
    )
    select count(*)::integer as count from made`);
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
