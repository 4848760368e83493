import { TaskStatus } from '@/lib/contract/api';
import { ERROR_CODES } from '@/lib/contract/error-codes';
import { FIELDS_BY_DOCUMENT_TYPE } from '@/lib/contract/fields';
import { AGENTS } from '@/lib/db/seed';

/** The salt of all aliases stands for `$1`; it is thrown away, so that no name can be found by trying. */
const hash = (column: string) => `encode(sha256(convert_to($1 || ${column}, 'UTF8')), 'hex')`;
/** One name for one name, in all tables. */
const alias = (kind: string, column: string) => `'${kind}-' || left(${hash(column)}, 10)`;

/** An id that looks like one of a trace. */
const trace = (column: string) => `left(${hash(column)}, 32)`;

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const list = (names: readonly string[]) => `(${names.map(literal).join(', ')})`;

const DOCUMENT_TYPES = list(Object.keys(FIELDS_BY_DOCUMENT_TYPE));
const FIELD_NAMES = list([
  ...new Set(Object.values(FIELDS_BY_DOCUMENT_TYPE).flatMap((fields) => Object.keys(fields.shape))),
]);
const DEFINITIONS = AGENTS.map(({ definition }) => `${literal(JSON.stringify(definition))}::jsonb`);

const number = (value: string) => `case when jsonb_typeof(${value}) = 'number' then ${value} end`;
const boolean = (value: string) => `case when jsonb_typeof(${value}) = 'boolean' then ${value} end`;
const known = (value: string, names: string, otherwise: string) =>
  `case when ${value} is null or ${value} in ${names} then ${value} else ${otherwise} end`;

/** The shape of a result without a value that stands in a document, and without a name that is none of ours. */
const result = `
  case when result is not null then jsonb_build_object(
    'documentType', ${known(`result->>'documentType'`, DOCUMENT_TYPES, `'masked'`)},
    'confidence', ${number(`result->'confidence'`)}, 'warnings', '[]'::jsonb,
    'fields', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', coalesce(${known(`f->>'name'`, FIELD_NAMES, alias('field', `(f->>'name')`))}, 'field'), 'value', null,
        'confidence', ${number(`f->'confidence'`)}, 'page', ${number(`f->'page'`)}))
      from jsonb_array_elements(case when jsonb_typeof(result->'fields') = 'array' then result->'fields' else '[]' end) f), '[]')
  ) end`;

/** The figures of the last report; what an agent says of single calls may quote the document. */
const usage = `
  case when usage is not null then jsonb_strip_nulls(jsonb_build_object(
    ${['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens']
      .map((name) => `'${name}', ${number(`usage->'${name}'`)}`)
      .join(', ')},
    'costUsd', case when usage->>'costUsd' ~ '^[0-9]+([.][0-9]+)?$' then usage->'costUsd' end,
    'traceExported', ${boolean(`usage->'traceExported'`)},
    'endedAt', case when usage->>'endedAt' ~ '^[0-9T:.Z+-]+$' then usage->'endedAt' end)) end`;

const model = `case when model in (select p.model from tickmark.model_prices p) then model else ${alias('model', 'model')} end`;
const CODES = list(Object.keys(ERROR_CODES));
const errorCode = known('error_code', CODES, `'masked'`);
/** Not emptied: then an operation that is still open would be about more tasks than was meant. */
const each = (column: string, names: string) =>
  `${column} = case when ${column} is not null then array(select ${known('v', names, `'masked'`)} from unnest(${column}) v) end`;
const word = (column: string) => `${column} = case when ${column} is not null then 'masked' end`;
const actor = `case when actor in ('agent', 'inspect', 'start', 'sweeper') then actor
  when actor like 'worker:%' then ${alias('worker', 'actor')} else ${alias('user', 'actor')} end`;

/** Their triggers keep a history that must not change, or write one; a copy's is nobody's. */
export const WITH_TRIGGERS = [
  'agent_history',
  'agent_versions',
  'agents',
  'callback_deliveries',
  'documents',
  'extractions',
  'task_attempts',
  'task_events',
  'tasks',
] as const;

/** Of these nothing is needed to look at a queue, or it is made anew. */
export const EMPTIED = [
  'agent_history',
  'app_roles',
  'audit_log',
  'compute_costs',
  'idempotency_keys',
  'queue_samples',
  'saved_views',
  'usage_summed',
  'workers',
] as const;

/** One per table; whatever column of text or JSON is not here keeps its words (its test says which may, and why). */
export const STATEMENTS: readonly string[] = [
  `insert into tickmark.clients (name, tier, created_at) select ${alias('client', 'name')}, tier, created_at from tickmark.clients`,
  `update tickmark.extractions set name = 'extraction-' || left(id::text, 8), submitted_by = ${alias('user', 'submitted_by')},
     client = ${alias('client', 'client')}`,
  `delete from tickmark.clients where name not in (select distinct client from tickmark.extractions where client is not null)`,
  `update tickmark.documents set filename = 'document-' || left(id::text, 8) || '.pdf', storage_uri = 'masked:' || id,
     sha256 = ${hash('sha256')}, inspecting_by = ${alias('worker', 'inspecting_by')}`,
  `update tickmark.tasks set input = null, result = ${result}, error_code = ${errorCode}, ${word('error_message')},
     locked_by = ${alias('run', 'locked_by')}`,
  `update tickmark.task_attempts set result = ${result}, usage = ${usage}, model = ${model}, error_code = ${errorCode},
     ${word('error_message')}, claimed_by = ${alias('worker', 'claimed_by')}, run_id = ${alias('run', 'run_id')},
     trace_id = ${trace('trace_id')}, completed_by = ${alias('delivery', 'completed_by')}`,
  `update tickmark.task_events set reason = 'masked', actor = ${actor}`,
  `update tickmark.callback_deliveries set webhook_id = ${alias('delivery', 'webhook_id')}`,
  `update tickmark.attempt_traces set model = ${model}, ${word('error')}, trace_id = ${trace('trace_id')},
     other_trace_id = ${trace('other_trace_id')}`,
  `update tickmark.bulk_operations set actor = ${alias('user', 'actor')}, ${word('error_message')},
     ${each('only_statuses', list(TaskStatus.options))}, ${each('only_error_codes', CODES)}`,
  `update tickmark.agents set name = id, description = '', ${word('lowered_reason')}`,
  `update tickmark.agent_versions set definition = case definition->>'kind'
       when 'extract' then '{"kind": "extract", "documentType": "masked", "instructions": "", "schema": {"type": "object", "properties": {}}}'::json
       else '{"kind": "external"}'::json end
     where definition::jsonb not in (${DEFINITIONS.join(', ')})`,
  `update tickmark.model_prices set source = 'masked'`,
  `update tickmark.settings set secret_fingerprint = null`,
];
