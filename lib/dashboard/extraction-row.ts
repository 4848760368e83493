import 'server-only';
import { sql } from 'drizzle-orm';
import type { Extraction } from '@/lib/contract/api';
import type { EtaRange } from './open-work';
import { isoInstant, llmCostText, moneyText } from './sql-values';

export interface ExtractionRow extends Record<string, unknown> {
  id: string;
  client: string | null;
  name: string;
  first_file: string | null;
  agent_id: string;
  priority: number;
  submitted_by: string;
  created_at: string;
  enqueued: number;
  processing: number;
  completed: number;
  failed: number;
  cancelled: number;
  llm_cost_usd: string | null;
  compute_cost_usd: string | null;
}

/** Asked for where the name is the time of creation only (lib/documents/create-extraction.ts): a time says little to a person. */
const firstFile = sql`
  case when x.name ~ '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d$' then (
    select d.filename
    from tickmark.tasks t
    join tickmark.documents d on d.id = t.document_id
    where t.extraction_id = x.id
    order by t.created_at, t.id
    limit 1
  ) end`;

/** Columns of an {@link ExtractionRow} over extractions `x` and {@link extractionJoins}. */
export const extractionColumns = sql`
  x.id, x.client, x.name, ${firstFile} as first_file, x.agent_id, x.priority, x.submitted_by,
  ${isoInstant(sql`x.created_at`)} as created_at,
  n.enqueued, n.processing, n.completed, n.failed, n.cancelled,
  s.llm_cost_usd, s.compute_cost_usd`;

/** Beside extractions `x`: counts `n` of its tasks and sums `s` over their attempts. */
export const extractionJoins = sql`
  cross join lateral (
    select
      count(*) filter (where t.status = 'enqueued')::int as enqueued,
      count(*) filter (where t.status = 'processing')::int as processing,
      count(*) filter (where t.status = 'completed')::int as completed,
      count(*) filter (where t.status = 'failed')::int as failed,
      count(*) filter (where t.status = 'cancelled')::int as cancelled
    from tickmark.tasks t
    where t.extraction_id = x.id
  ) n
  cross join lateral (
    select
      ${llmCostText} as llm_cost_usd,
      ${moneyText(sql`sum(a.compute_cost_usd)`)} as compute_cost_usd
    from tickmark.tasks t
    join tickmark.task_attempts a on a.task_id = t.id
    where t.extraction_id = x.id
  ) s`;

/** Whether some of its tasks are not final. */
export function isOpen(row: ExtractionRow): boolean {
  return row.enqueued + row.processing > 0;
}

export function toExtraction(row: ExtractionRow, eta: EtaRange): Extraction {
  const { enqueued, processing, completed, failed, cancelled } = row;
  const final = completed + failed + cancelled;
  const all = final + enqueued + processing;
  return {
    id: row.id,
    client: row.client,
    name: row.name,
    firstFile: row.first_file,
    agent: row.agent_id,
    priority: row.priority,
    submittedBy: row.submitted_by,
    createdAt: row.created_at,
    counts: { enqueued, processing, completed, failed, cancelled },
    progress: all === 0 ? 0 : final / all,
    eta: { low: eta.low, high: eta.high },
    llmCostUsd: row.llm_cost_usd,
    computeCostUsd: row.compute_cost_usd,
  };
}
