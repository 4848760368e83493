import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Tx } from '@/lib/db/client';
import type { StoredObject } from '@/lib/platform/document-store/port';
import { enqueueTasks } from '@/lib/queue/enqueue';
import type { ExtractionTarget } from './find-extraction';

/** A file whose bytes are in the store. */
export interface StoredFile {
  readonly filename: string;
  readonly stored: StoredObject;
}

export interface AddedDocument {
  readonly taskId: string;
  readonly documentId: string;
  readonly filename: string;
}

/**
 * Inserts a document and its task for each stored file, in the caller's transaction: both or neither. The same content
 * twice makes two documents and two tasks.
 */
export async function addDocuments(
  tx: Tx,
  extraction: ExtractionTarget,
  files: readonly StoredFile[],
  actor: string,
): Promise<AddedDocument[]> {
  if (files.length === 0) return [];
  const rows = files.map((file) => ({
    id: randomUUID(),
    filename: file.filename,
    sha256: file.stored.sha256,
    size_bytes: file.stored.sizeBytes,
    storage_uri: file.stored.uri,
  }));
  await tx.execute(sql`
    /* documents.add */
    insert into tickmark.documents (id, extraction_id, filename, sha256, size_bytes, storage_uri)
    select f.id, ${extraction.id}::uuid, f.filename, f.sha256, f.size_bytes, f.storage_uri
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as f(id uuid, filename text, sha256 text, size_bytes bigint, storage_uri text)`);
  const tasks = await enqueueTasks(
    tx,
    rows.map((row) => ({
      agentId: extraction.agentId,
      priority: extraction.priority,
      extractionId: extraction.id,
      documentId: row.id,
      actor,
    })),
  );
  return rows.map((row, index) => {
    const task = tasks[index];
    if (!task) throw new Error('enqueueing gave fewer tasks than documents');
    return { taskId: task.id, documentId: row.id, filename: row.filename };
  });
}
