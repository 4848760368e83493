import 'server-only';
import { sql } from 'drizzle-orm';
import type { TaskStatus } from '@/lib/contract/api';
import { Result, type ResultField } from '@/lib/contract/result';
import type { Queryable } from '@/lib/db/client';
import { moneyText } from './sql-values';

/** One task of an extraction with its result. */
export interface ExportRow {
  readonly taskId: string;
  readonly documentId: string | null;
  readonly filename: string | null;
  readonly status: TaskStatus;
  readonly documentType: string | null;
  readonly pages: number | null;
  readonly confidence: number | null;
  readonly fields: readonly ResultField[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly llmCostUsd: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

interface Row extends Record<string, unknown> {
  id: string;
  created_at: string;
  document_id: string | null;
  filename: string | null;
  status: TaskStatus;
  page_count: number | null;
  confidence: number | null;
  result: unknown;
  error_code: string | null;
  error_message: string | null;
  input_tokens: string;
  output_tokens: string;
  llm_cost_usd: string | null;
}

const BATCH = 200;

/** All tasks of an extraction in the order of upload, read in batches: no long snapshot and no large answer in memory. */
export async function* readExportRows(db: Queryable, extractionId: string): AsyncGenerator<ExportRow> {
  let after: Row | undefined;
  for (;;) {
    const rows: Row[] = await readBatch(db, extractionId, after);
    yield* rows.map(toExportRow);
    if (rows.length < BATCH) return;
    after = rows.at(-1);
  }
}

/** Names of all fields in the results of an extraction, in the order in which documents show them. */
export async function readFieldNames(db: Queryable, extractionId: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    /* dashboard.field_names */
    select f.field ->> 'name' as name
    from tickmark.tasks t
    cross join lateral jsonb_array_elements(
      case when jsonb_typeof(t.result -> 'fields') = 'array' then t.result -> 'fields' else '[]'::jsonb end
    ) with ordinality as f(field, position)
    where t.extraction_id = ${extractionId}::uuid
      and f.field ->> 'name' is not null
    group by 1
    order by min(t.result ->> 'documentType'), min(f.position), 1
    limit 500`);
  return rows.map((row) => row.name);
}

async function readBatch(db: Queryable, extractionId: string, after: Row | undefined): Promise<Row[]> {
  const { rows } = await db.execute<Row>(sql`
    /* dashboard.export_batch */
    select t.id, t.created_at::text as created_at, t.document_id, d.filename, t.status, d.page_count, t.confidence,
      t.result, t.error_code, t.error_message, s.input_tokens, s.output_tokens, s.llm_cost_usd
    from tickmark.tasks t
    left join tickmark.documents d on d.id = t.document_id
    cross join lateral (
      select coalesce(sum(a.input_tokens), 0)::text as input_tokens,
        coalesce(sum(a.output_tokens), 0)::text as output_tokens,
        ${moneyText(sql`sum(a.llm_cost_usd)`)} as llm_cost_usd
      from tickmark.task_attempts a
      where a.task_id = t.id
    ) s
    where t.extraction_id = ${extractionId}::uuid
      and ${after ? sql`(t.created_at, t.id) > (${after.created_at}::timestamptz, ${after.id}::uuid)` : sql`true`}
    order by t.created_at, t.id
    limit ${BATCH}`);
  return rows;
}

function toExportRow(row: Row): ExportRow {
  const result = Result.safeParse(row.result);
  return {
    taskId: row.id,
    documentId: row.document_id,
    filename: row.filename,
    status: row.status,
    documentType: result.data?.documentType ?? null,
    pages: row.page_count,
    confidence: row.confidence,
    fields: result.data?.fields ?? [],
    warnings: result.data?.warnings ?? [],
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    llmCostUsd: row.llm_cost_usd,
    errorCode: row.error_code,
    errorMessage: row.error_message,
  };
}
