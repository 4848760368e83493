import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { storableText } from '@/lib/contract/text';

/** An instant as ISO 8601 UTC with milliseconds, as the API sends it; null stays null. */
export function isoInstant(column: SQL): SQL {
  return sql`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Exact money as a decimal string without trailing zeros: "0.0012304"; null stays null. */
export function moneyText(amount: SQL): SQL {
  return sql`trim_scale(${amount})::text`;
}

/**
 * LLM cost summed over attempts `a`: null when there are tokens and no price, so that unknown is never shown as 0.
 */
export const llmCostText = sql`case
  when count(a.llm_cost_usd) > 0 then trim_scale(sum(a.llm_cost_usd))::text
  when coalesce(sum(a.input_tokens), 0) + coalesce(sum(a.output_tokens), 0) = 0 then '0'
end`;

/** Whether attempt `a` of task `t` is over and bought no result. */
export const isWaste = sql`(a.status not in ('claimed', 'running') and not (a.status = 'succeeded' and t.status = 'completed'))`;

/** A part of a text for `ilike`, with its own wildcards taken literally; also when a page hands it on unchecked. */
export function likePattern(part: string): string {
  return `%${storableText(part).replace(/[\\%_]/g, '\\$&')}%`;
}

/** Several conditions joined by `and`; none = true. */
export function allOf(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
}

/** `column = any($1)` for text values. */
export function isOneOf(column: SQL, values: readonly string[]): SQL {
  return sql`${column} = any(${sql.param(values.map(storableText))}::text[])`;
}
