import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** Tasks written as rows, for a list that is longer than a page: nothing runs for them, and no file is behind them. */
export interface Ledger {
  readonly client: string;
  /** The file names, oldest first. */
  readonly files: readonly string[];
}

export interface LedgerOptions {
  readonly count: number;
  readonly agent: string;
  readonly status: 'failed' | 'completed' | 'cancelled' | 'enqueued';
  /** The first one's; each further one is a minute younger. Long ago, so that no other list begins with them. */
  readonly from?: string;
}

/** Writes tasks for a client of their own. Their priorities go round from 10 to 90, their costs and confidences rise. */
export async function writeLedger(db: pg.Client, options: LedgerOptions): Promise<Ledger> {
  const client = `Ledger ${randomUUID().slice(0, 8)}`;
  const { count, agent, status, from = '2025-03-01T08:00:00Z' } = options;
  await db.query('insert into tickmark.clients (name) values ($1)', [client]);
  const { rows } = await db.query<{ filename: string }>(
    `with extraction as (
      insert into tickmark.extractions (client, name, agent_id, submitted_by, created_at)
      values ($1, 'A long list', $3, 'test', $5::timestamptz) returning id
    ), document as (
      insert into tickmark.documents (extraction_id, sha256, filename, size_bytes, page_count, storage_uri, created_at)
      select x.id, encode(sha256(($1 || n)::bytea), 'hex'), 'ledger-' || lpad(n::text, 3, '0') || '.pdf', 1000, 1, 'test:none',
        $5::timestamptz + n * interval '1 minute'
      from extraction x, generate_series(1, $2::int) n
      returning id, extraction_id, filename, created_at, substring(filename from '\\d+')::int as n
    ), task as (
      insert into tickmark.tasks (extraction_id, document_id, agent_id, status, priority, attempt_count, estimated_tokens,
        estimated_seconds, confidence, error_code, created_at, finished_at)
      select d.extraction_id, d.id, $3, $4::text::tickmark.task_status, 10 * (1 + (d.n - 1) % 9), 1, 1000, 5,
        case when $4::text = 'completed' then d.n / ($2::float + 1) end,
        case when $4::text = 'failed' then 'timeout' end,
        d.created_at, case when $4::text <> 'enqueued' then d.created_at + d.n * interval '1 second' end
      from document d
      returning id, document_id, created_at, finished_at
    ), attempt as (
      insert into tickmark.task_attempts (task_id, agent_id, number, status, claimed_by, claimed_at, dispatched_at, finished_at,
        run_stopped_at, model, input_tokens, output_tokens, llm_cost_usd)
      select t.id, $3, 1, (case when $4::text = 'completed' then 'succeeded' else $4::text end)::tickmark.attempt_status, 'test',
        t.created_at, t.created_at, t.finished_at, t.finished_at, 'tickmark-rules-1', 900, 100, 0.00013
      from task t where t.finished_at is not null
    )
    select filename from document order by filename`,
    [client, count, agent, status, from],
  );
  return { client, files: rows.map(({ filename }) => filename) };
}
