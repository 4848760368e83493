/** A table as the API gives it: every cell is a text or null, whatever its type. */
export interface Result {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface Statement {
  readonly id: string;
  /** Only who executed it may fetch it. */
  readonly owner: string;
  readonly disposition: 'INLINE' | 'EXTERNAL_LINKS';
  readonly chunkRows: number;
  state: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'CLOSED';
  result: Result | null;
  error: string | null;
}

/** Makes an address for a chunk that needs no token. */
export type Link = (statement: Statement, chunk: number) => string;

const LINK_MS = 15 * 60_000;

/** What `GET …/statements/{id}` answers; a statement that failed is an answer of 200 (databricks-sdk-py `service/sql.py`). */
export function showStatement(statement: Statement, link: Link) {
  const { id, state, result, error } = statement;
  const failed = error === null ? {} : { error: { error_code: 'BAD_REQUEST', message: error } };
  const status = { state, ...failed };
  if (state !== 'SUCCEEDED' || !result) return { statement_id: id, status };
  return {
    statement_id: id,
    status,
    manifest: {
      format: 'JSON_ARRAY',
      schema: {
        column_count: result.columns.length,
        columns: result.columns.map(({ name, type }, position) => ({
          name,
          position,
          type_name: type.replace(/\(.*/, ''),
          type_text: type,
        })),
      },
      total_chunk_count: chunkCount(statement),
      total_row_count: result.rows.length,
      truncated: false,
    },
    // Without rows there is no data_array (databricks/cli `libs/testserver`).
    result: resultPart(statement, 0, link) ?? {},
  };
}

const chunkCount = ({ result, chunkRows }: Statement) => Math.ceil((result?.rows.length ?? 0) / chunkRows);

/** One chunk of a result, or `null` where there is none of that number. */
export function resultPart(statement: Statement, chunk: number, link: Link) {
  if (!Number.isInteger(chunk) || chunk < 0 || chunk >= chunkCount(statement)) return null;
  const from = chunk * statement.chunkRows;
  const rows = statement.result?.rows.slice(from, from + statement.chunkRows) ?? [];
  const next = chunk + 1;
  const place = {
    chunk_index: chunk,
    row_offset: from,
    row_count: rows.length,
    ...(next < chunkCount(statement)
      ? {
          next_chunk_index: next,
          next_chunk_internal_link: `/api/2.0/sql/statements/${statement.id}/result/chunks/${next}`,
        }
      : {}),
  };
  if (statement.disposition === 'INLINE') return { ...place, data_array: rows };
  const expiration = new Date(Date.now() + LINK_MS).toISOString();
  return { external_links: [{ ...place, external_link: link(statement, chunk), expiration }] };
}
