import { type SQL, sql } from 'drizzle-orm';
import type { InspectReply } from '@/lib/contract/child-messages';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { type Estimate, rejectTask, setEstimate } from '@/lib/queue/estimate';
import { readCalibration } from './calibrate';
import type { Calibration } from './calibration';
import { estimateFromBytes, estimateFromText } from './estimate';

/** What an `integer` column holds. */
const MAX_INTEGER = 2_147_483_647;

/** A waiting task whose document has not been looked at yet. */
export interface Uninspected {
  readonly taskId: string;
  readonly documentId: string;
  /** Of its extraction; a fixed one for those of none. */
  readonly extractionId: string;
  readonly agentId: string;
  readonly storageUri: string;
  readonly sizeBytes: number;
}

export interface TakeOptions {
  readonly workerId: string;
  readonly limit: number;
  readonly holdSeconds: number;
  /** The `extractionId` of the last one that this worker took: the turn is the next one's. */
  readonly after?: string | null;
}

/** Stands for tasks of no extraction. */
const NO_EXTRACTION = '00000000-0000-0000-0000-000000000000';

/**
 * Takes up to `limit` documents to inspect: of the most urgent, one of each extraction in turn, so that one with 5,000
 * files does not hold up another with 5. No other worker takes the same ones for `holdSeconds`, or until this one is known
 * to be lost. Inspecting one twice would only be a waste.
 */
export async function takeUninspected(
  db: Db,
  { workerId, limit, holdSeconds, after = null }: TakeOptions,
): Promise<Uninspected[]> {
  const taken: Uninspected[] = [];
  while (taken.length < limit) {
    const turn = taken.at(-1)?.extractionId ?? after ?? NO_EXTRACTION;
    const { rows } = await db.execute<UninspectedRow>(takeOne(workerId, holdSeconds, turn));
    const row = rows[0];
    if (!row) break;
    taken.push({
      taskId: row.task_id,
      documentId: row.id,
      extractionId: row.extraction_id,
      agentId: row.agent_id,
      storageUri: row.storage_uri,
      sizeBytes: Number(row.size_bytes),
    });
  }
  return taken;
}

/**
 * Each part walks `tasks_inspect` and stops at its first row; what is in hand elsewhere is passed over. Exported so that
 * a test can look at what it costs.
 */
export function takeOne(workerId: string, holdSeconds: number, after: string): SQL {
  const extraction = sql.raw(`coalesce(t.extraction_id, '${NO_EXTRACTION}'::uuid)`);
  const waiting = sql`
    from tickmark.tasks t
    join tickmark.documents d on d.id = t.document_id
    where t.status = 'enqueued' and t.estimated_tokens is null
      and (
        d.inspecting_until is null or d.inspecting_until < clock_timestamp()
        or exists (select from tickmark.workers w where w.id = d.inspecting_by and w.lost_at is not null)
      )`;
  const inOrder = sql`order by t.priority desc, ${extraction}, t.created_at, t.id limit 1`;
  return sql`
    /* documents.take_uninspected */
    with top as materialized (select t.priority ${waiting} ${inOrder}),
    next as materialized (
      select t.id as task_id, t.agent_id, ${extraction} as extraction_id, d.id as document_id ${waiting}
        and t.priority = (select priority from top) and ${extraction} > ${after}::uuid
      ${inOrder}
      for update of d skip locked
    ),
    around as materialized (
      select t.id as task_id, t.agent_id, ${extraction} as extraction_id, d.id as document_id ${waiting}
        and not exists (select from next)
      ${inOrder}
      for update of d skip locked
    )
    update tickmark.documents d
    set inspecting_until = clock_timestamp() + make_interval(secs => ${holdSeconds}), inspecting_by = ${workerId}
    from (select * from next union all select * from around) w
    where d.id = w.document_id
    returning w.task_id, w.agent_id, w.extraction_id, d.id, d.storage_uri, d.size_bytes`;
}

interface UninspectedRow extends Record<string, unknown> {
  task_id: string;
  agent_id: string;
  extraction_id: string;
  id: string;
  storage_uri: string;
  size_bytes: string;
}

/** Lets other workers take a document that this one did not get to. */
export async function releaseUninspected(db: Db, documentId: string): Promise<void> {
  await db.execute(sql`
    /* documents.release_uninspected */
    update tickmark.documents set inspecting_until = null where id = ${documentId}`);
}

/** What an inspection came to; `null` stands for one that took too much time or memory. */
export type Inspection = Pick<InspectReply, 'pageCount' | 'textChars' | 'verdict'> | null;

/** What follows from an inspection: the task gets its estimate, or fails for good. */
export type Decision =
  | { readonly kind: 'estimate'; readonly estimate: Estimate }
  | { readonly kind: 'reject'; readonly code: string; readonly message: string };

/** Decides what becomes of a document. Where it could not be inspected, the run with its own limits finds out. */
function decideInspection(
  inspection: Inspection,
  sizeBytes: number,
  maxPages: number,
  learnt: Calibration | null,
): Decision {
  if (inspection?.verdict) return { kind: 'reject', ...inspection.verdict };
  const pages = inspection?.pageCount ?? null;
  if (pages !== null && pages > maxPages) {
    const message = `The PDF has ${pages} pages; at most ${maxPages} are allowed.`;
    return { kind: 'reject', code: 'too_many_pages', message };
  }
  const estimate =
    pages === null
      ? estimateFromBytes(sizeBytes, learnt)
      : estimateFromText(pages, inspection?.textChars ?? 0, learnt);
  return { kind: 'estimate', estimate };
}

/** Records an inspection: page count, and estimate or rejection, in one transaction. */
export async function recordInspection(
  db: Db,
  document: Uninspected,
  inspection: Inspection,
  maxPages: number,
): Promise<Decision> {
  const textChars = inspection?.textChars == null ? null : Math.min(MAX_INTEGER, inspection.textChars);
  const learnt = await readCalibration(db, document.agentId);
  const decision = decideInspection(inspection, document.sizeBytes, maxPages, learnt);
  await withTransaction(db, async (tx) => {
    if (decision.kind === 'reject') {
      const { code, message } = decision;
      await rejectTask(tx, { taskId: document.taskId, code, message, actor: 'inspect' });
    } else {
      await setEstimate(tx, { taskId: document.taskId, ...decision.estimate });
    }
    await tx.execute(sql`
      /* documents.record_inspection */
      update tickmark.documents
      set page_count = coalesce(${inspection?.pageCount ?? null}::integer, page_count),
        text_chars = coalesce(${textChars}::integer, text_chars), inspecting_until = null
      where id = ${document.documentId}`);
  });
  return decision;
}
