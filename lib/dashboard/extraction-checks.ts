import 'server-only';
import { sql } from 'drizzle-orm';
import type { ExtractionChecks } from '@/lib/contract/api-checks';
import { Result } from '@/lib/contract/result';
import { checkResult, foundNothing } from '@/lib/contract/result-checks';
import type { Queryable } from '@/lib/db/client';

/** So many documents are looked at: results are read whole, and a page waits for it. */
const MOST = 1_000;
const SHOWN = 5;

interface Row extends Record<string, unknown> {
  id: string;
  filename: string | null;
  result: unknown;
}

/**
 * Which checks fail in an extraction and on which documents, most often failing first. The caller has seen to it that
 * the viewer may see the extraction.
 */
export async function readExtractionChecks(db: Queryable, extractionId: string): Promise<ExtractionChecks> {
  const { rows } = await db.execute<Row>(sql`
    /* dashboard.extraction_checks */
    select t.id, d.filename, t.result
    from tickmark.tasks t
    left join tickmark.documents d on d.id = t.document_id
    where t.extraction_id = ${extractionId}::uuid and t.status = 'completed' and t.result is not null
    order by t.created_at, t.id
    limit ${MOST + 1}`);
  return summarise(rows.slice(0, MOST), rows.length <= MOST);
}

type Group = ExtractionChecks['nothingFound'];

function summarise(rows: readonly Row[], complete: boolean): ExtractionChecks {
  const outcomes = { holds: 0, unknown: 0 };
  const failing = new Map<string, Group>();
  const nothingFound: Group = { count: 0, tasks: [] };
  for (const { id, filename, result: stored } of rows) {
    const result = Result.safeParse(stored).data;
    if (!result) continue;
    if (foundNothing(result)) {
      add(nothingFound, { id, filename, detail: '' });
      continue;
    }
    for (const { label, outcome, detail } of checkResult(result)) {
      if (outcome !== 'fails') {
        outcomes[outcome] += 1;
        continue;
      }
      const group = failing.get(label) ?? { count: 0, tasks: [] };
      failing.set(label, group);
      add(group, { id, filename, detail });
    }
  }
  return {
    documents: rows.length,
    complete,
    holding: outcomes.holds,
    unknown: outcomes.unknown,
    failing: [...failing].map(([label, group]) => ({ label, ...group })).sort((a, b) => b.count - a.count),
    nothingFound,
  };
}

function add(group: Group, task: Group['tasks'][number]) {
  group.count += 1;
  if (group.tasks.length < SHOWN) group.tasks.push(task);
}
