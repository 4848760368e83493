import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { rebuildFigures } from '@/lib/figures/rebuild';
import { checkHome } from '@/lib/queue/home';

/** Their triggers keep a history that must not change; a copy's is nobody's. */
const WITH_TRIGGERS = [
  'agent_history',
  'documents',
  'extractions',
  'task_attempts',
  'task_events',
  'tasks',
] as const;

/** Of these nothing is needed to look at a queue, or it is made anew. */
const EMPTIED = [
  'app_roles',
  'audit_log',
  'compute_costs',
  'idempotency_keys',
  'queue_samples',
  'saved_views',
  'usage_summed',
  'workers',
] as const;

/** The shape of a result without a value that stands in a document. */
const masked = (column: string) => `
  jsonb_build_object('documentType', ${column}->'documentType', 'confidence', ${column}->'confidence', 'warnings', '[]'::jsonb,
    'fields', coalesce((select jsonb_agg(jsonb_build_object('name', f->'name', 'value', null, 'confidence', f->'confidence', 'page', f->'page'))
      from jsonb_array_elements(case when jsonb_typeof(${column}->'fields') = 'array' then ${column}->'fields' else '[]' end) f), '[]'))`;

/** `$1` is a salt that is thrown away, so that no name can be found by trying. */
const alias = (kind: string, column: string) =>
  `'${kind}-' || left(encode(sha256(convert_to($1 || ${column}, 'UTF8')), 'hex'), 10)`;

const STATEMENTS = [
  `insert into tickmark.clients (name, tier, created_at) select ${alias('client', 'name')}, tier, created_at from tickmark.clients`,
  `update tickmark.extractions set name = 'extraction-' || left(id::text, 8), submitted_by = ${alias('user', 'submitted_by')},
     client = ${alias('client', 'client')}`,
  `delete from tickmark.clients where name not in (select distinct client from tickmark.extractions where client is not null) and $1 <> ''`,
  `update tickmark.documents set filename = 'document-' || left(id::text, 8) || '.pdf', storage_uri = 'masked:' || id,
     sha256 = encode(sha256(convert_to($1 || sha256, 'UTF8')), 'hex')`,
  `update tickmark.tasks set input = null, result = case when result is not null then ${masked('result')} end,
     error_message = case when error_message is not null then 'masked' end where $1 <> ''`,
  `update tickmark.task_attempts set result = case when result is not null then ${masked('result')} end,
     error_message = case when error_message is not null then 'masked' end where $1 <> ''`,
  `update tickmark.task_events set reason = 'masked', actor = case when actor like 'user:%' then ${alias('user', 'actor')} else actor end`,
  `update tickmark.attempt_traces set error = case when error is not null then 'masked' end where $1 <> ''`,
  `update tickmark.bulk_operations set actor = ${alias('user', 'actor')}, error_message = case when error_message is not null then 'masked' end`,
  `update tickmark.agent_history set actor = ${alias('user', 'actor')}`,
  `update tickmark.agents set lowered_reason = case when lowered_reason is not null then 'masked' end where $1 <> ''`,
  `update tickmark.settings set secret_fingerprint = null where $1 <> ''`,
];

/**
 * Takes from a copy of a database what tells of clients, documents and people: names of files, clients and submissions,
 * values that were read, words of errors, who did what. Numbers, times, codes and states stay. For good, in one
 * transaction; the sums of the dashboard are made anew. Throws `conflict` where the database is live.
 * @param named the place by the platform's name, as for `checkHome`
 */
export async function maskDatabase(db: Db, named: string | null): Promise<void> {
  if (await checkHome(db, named)) {
    throw new DomainError(
      'conflict',
      'This database is live here, and masking cannot be undone. Mask a copy: a branch, or a restored dump.',
    );
  }
  const salt = randomBytes(32).toString('hex');
  await withTransaction(db, async (tx) => {
    for (const table of WITH_TRIGGERS)
      await tx.execute(sql`alter table tickmark.${sql.identifier(table)} disable trigger user`);
    for (const table of EMPTIED) await tx.execute(sql`delete from tickmark.${sql.identifier(table)}`);
    for (const statement of STATEMENTS) await tx.execute(withSalt(statement, salt));
    for (const table of WITH_TRIGGERS)
      await tx.execute(sql`alter table tickmark.${sql.identifier(table)} enable trigger user`);
  });
  await rebuildFigures(db, { isExclusive: true });
}

/** The statements above are ours; the salt alone is a value, and bound. */
function withSalt(statement: string, salt: string) {
  const parts = statement.split('$1').map((part) => sql.raw(part));
  return sql.join(parts, sql`${salt}::text`);
}
