import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { Extraction } from '@/lib/contract/api';
import type { Queryable } from '@/lib/db/client';
import {
  type ExtractionRow,
  extractionColumns,
  extractionJoins,
  isOpen,
  toExtraction,
} from './extraction-row';
import { readEtas } from './open-work';
import { isOneOf } from './sql-values';

/** One extraction; `null` when there is none, or none that the viewer may see. */
export async function readExtraction(
  db: Queryable,
  id: string,
  scope: ClientScope = null,
): Promise<Extraction | null> {
  const { rows } = await db.execute<ExtractionRow>(sql`
    /* dashboard.extraction_detail */
    select ${extractionColumns}
    from tickmark.extractions x
    ${extractionJoins}
    where x.id = ${id}::uuid
      and ${scope ? isOneOf(sql`x.client`, scope) : sql`true`}`);
  const row = rows[0];
  if (!row) return null;
  const etaOf = await readEtas(db, isOpen(row) ? [row.id] : []);
  return toExtraction(row, etaOf(row.id));
}
