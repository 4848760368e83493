import { type SQL, sql } from 'drizzle-orm';

/** Columns of `task_facts` besides its key, in one order; `live_facts` has the same. */
const FACT_COLUMNS = [
  'created_at',
  'agent_id',
  'client',
  'extraction_id',
  'status',
  'priority',
  'finished_at',
  'response_seconds',
  'input_tokens',
  'output_tokens',
  'llm_cost_usd',
  'priced_attempts',
  'unpriced_attempts',
  'waste_usd',
  'run_seconds',
  'confidence',
  'error_code',
  'keys',
] as const;

/** `task_id` and all columns of a fact, as of table `alias` when given one. */
export function factColumns(alias?: string): SQL {
  const prefix = alias ? `${alias}.` : '';
  return sql.raw(['task_id', ...FACT_COLUMNS].map((name) => prefix + name).join(', '));
}

/** For `on conflict (task_id) do update set …`. */
export const FACT_ASSIGNMENTS: SQL = sql.raw(
  FACT_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', '),
);

/** Whether two facts differ. */
export function factsDiffer(one: string, other: string): SQL {
  const row = (alias: string) => `(${FACT_COLUMNS.map((name) => `${alias}.${name}`).join(', ')})`;
  return sql.raw(`${row(one)} is distinct from ${row(other)}`);
}

/** The sums that a cell of `usage_hourly` and its like consists of, besides its histogram. */
export const SUMS = [
  'tasks',
  'input_tokens',
  'output_tokens',
  'llm_cost_usd',
  'priced_attempts',
  'unpriced_attempts',
  'waste_usd',
  'run_seconds',
  'confidence_sum',
  'confidence_count',
] as const;
export type SumName = (typeof SUMS)[number];

/** {@link SUMS} over facts `alias`, each times `sign` (1, or −1 for what no longer is). */
export function sumsOfFacts(alias: string, sign: SQL = sql`1`): SQL {
  const column = (name: string) => sql.raw(`${alias}.${name}`);
  return sql`
    sum(${sign})::bigint as tasks,
    coalesce(sum(${sign} * ${column('input_tokens')}), 0) as input_tokens,
    coalesce(sum(${sign} * ${column('output_tokens')}), 0) as output_tokens,
    coalesce(sum(${sign} * ${column('llm_cost_usd')}), 0) as llm_cost_usd,
    coalesce(sum(${sign} * ${column('priced_attempts')}), 0)::bigint as priced_attempts,
    coalesce(sum(${sign} * ${column('unpriced_attempts')}), 0)::bigint as unpriced_attempts,
    coalesce(sum(${sign} * ${column('waste_usd')}), 0) as waste_usd,
    coalesce(sum(${sign} * ${column('run_seconds')}), 0) as run_seconds,
    coalesce(sum(${sign} * ${column('confidence')}::numeric), 0) as confidence_sum,
    coalesce(sum(${sign}) filter (where ${column('confidence')} is not null), 0)::bigint as confidence_count`;
}

/** {@link SUMS} added up over cells `alias`. */
export function sumsOfCells(alias: string): SQL {
  return sql.raw(
    SUMS.map((name) => {
      const whole = ['tasks', 'priced_attempts', 'unpriced_attempts', 'confidence_count'].includes(name);
      return `sum(${alias}.${name})${whole ? '::bigint' : ''} as ${name}`;
    }).join(', '),
  );
}

/** The names of {@link SUMS}, as of table `alias` when given one. */
export function sumNames(alias?: string): SQL {
  return sql.raw(SUMS.map((name) => (alias ? `${alias}.${name}` : name)).join(', '));
}
