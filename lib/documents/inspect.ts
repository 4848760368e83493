import { sql } from 'drizzle-orm';
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
  readonly agentId: string;
  readonly storageUri: string;
  readonly sizeBytes: number;
}

/**
 * Takes up to `limit` documents to inspect, the most urgent first. No other worker takes the same ones for
 * `holdSeconds`; if this one dies, they are free again after that. Inspecting one twice would only be a waste.
 */
export async function takeUninspected(db: Db, limit: number, holdSeconds: number): Promise<Uninspected[]> {
  const { rows } = await db.execute<UninspectedRow>(sql`
    /* documents.take_uninspected */
    with waiting as (
      select tasks.id as task_id, tasks.agent_id, documents.id as document_id
      from tickmark.tasks
      join tickmark.documents on documents.id = tasks.document_id
      where tasks.status = 'enqueued'
        and tasks.estimated_tokens is null
        and (documents.inspecting_until is null or documents.inspecting_until < clock_timestamp())
      order by tasks.priority desc, tasks.created_at, tasks.id
      limit ${limit}
      for update of documents skip locked
    )
    update tickmark.documents
    set inspecting_until = clock_timestamp() + make_interval(secs => ${holdSeconds})
    from waiting
    where documents.id = waiting.document_id
    returning waiting.task_id, waiting.agent_id, documents.id, documents.storage_uri, documents.size_bytes`);
  return rows.map((row) => ({
    taskId: row.task_id,
    documentId: row.id,
    agentId: row.agent_id,
    storageUri: row.storage_uri,
    sizeBytes: Number(row.size_bytes),
  }));
}

interface UninspectedRow extends Record<string, unknown> {
  task_id: string;
  agent_id: string;
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
