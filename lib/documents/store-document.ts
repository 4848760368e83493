import type { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import type { DocumentStore, StoredObject } from '@/lib/platform/document-store/port';
import { enqueueTask } from '@/lib/queue/enqueue';
import { cleanFilename } from './filename';

/** A document that arrives, and the submission that it belongs to. */
export interface NewDocument {
  readonly extractionId: string;
  readonly agentId: string;
  readonly priority: number;
  /** As the sender names it; cleaned here, never used as a path. */
  readonly filename: string;
  readonly bytes: Readable;
  readonly maxBytes: number;
  /** Who asks, such as `user:<id>`. */
  readonly actor: string;
}

export interface StoredDocument {
  readonly documentId: string;
  readonly taskId: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

/**
 * Stores an uploaded document and enqueues its task: bytes first, then document and task in one transaction, so there
 * is never a task without its document. Throws `DocumentRefused` when it is empty or too large; the stream is then
 * left to the caller, unread.
 */
export async function storeDocument(
  deps: { readonly db: Db; readonly store: DocumentStore },
  input: NewDocument,
): Promise<StoredDocument> {
  const stored = await deps.store.put(input.bytes, { maxBytes: input.maxBytes });
  const filename = cleanFilename(input.filename);
  return withTransaction(deps.db, async (tx) => {
    const documentId = await insertDocument(tx, input.extractionId, filename, stored);
    const task = await enqueueTask(tx, {
      agentId: input.agentId,
      priority: input.priority,
      extractionId: input.extractionId,
      documentId,
      actor: input.actor,
    });
    return { documentId, taskId: task.id, filename, sizeBytes: stored.sizeBytes };
  });
}

async function insertDocument(
  tx: Tx,
  extractionId: string,
  filename: string,
  stored: StoredObject,
): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    /* documents.insert */
    insert into tickmark.documents (extraction_id, sha256, filename, size_bytes, storage_uri)
    values (${extractionId}, ${stored.sha256}, ${filename}, ${stored.sizeBytes}, ${stored.uri})
    returning id`);
  const row = rows[0];
  if (!row) throw new Error('the document was not inserted');
  return row.id;
}
