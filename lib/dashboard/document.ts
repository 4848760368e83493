import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { Queryable } from '@/lib/db/client';
import { isOneOf } from './sql-values';

/** Where a document's bytes are and what they are called. */
export interface DocumentSource {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly storageUri: string;
}

/** One document; `null` when there is none, or none that the viewer may see. */
export async function findDocument(
  db: Queryable,
  id: string,
  scope: ClientScope = null,
): Promise<DocumentSource | null> {
  const { rows } = await db.execute<{
    filename: string;
    size_bytes: string;
    sha256: string;
    storage_uri: string;
  }>(sql`
    /* dashboard.document */
    select d.filename, d.size_bytes, d.sha256, d.storage_uri
    from tickmark.documents d
    left join tickmark.extractions x on x.id = d.extraction_id
    where d.id = ${id}::uuid
      and ${scope ? isOneOf(sql`x.client`, scope) : sql`true`}`);
  const row = rows[0];
  if (!row) return null;
  return {
    filename: row.filename,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    storageUri: row.storage_uri,
  };
}
