import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import { TASK_STATUSES, type TaskStatus } from '@/lib/contract/api';
import type { TaskFilters } from '@/lib/contract/api-requests';
import { storableText } from '@/lib/contract/text';
import { allOf, isOneOf } from '../sql-values';

/** Filters less the range, with the viewer's scope in them. */
export interface Selection {
  readonly statuses: readonly TaskStatus[] | null;
  readonly agents: readonly string[] | null;
  readonly clients: readonly string[] | null;
  readonly extractions: readonly string[] | null;
  readonly errorCodes: readonly string[] | null;
}

export function selectionOf(filters: TaskFilters, scope: ClientScope): Selection {
  const { client } = filters;
  return {
    statuses: filters.status?.filter((status) => TASK_STATUSES.includes(status)) ?? null,
    agents: filters.agent ?? null,
    clients: scope && client ? client.filter((name) => scope.includes(name)) : (client ?? scope),
    extractions: filters.extraction ?? null,
    errorCodes: filters.errorCode ?? null,
  };
}

/** The sums know nothing of these: the facts are read one by one. */
export function needsFacts({ extractions, errorCodes }: Selection): boolean {
  return extractions !== null || errorCodes !== null;
}

/** The condition on facts `alias` that a selection means. */
export function factCondition(selection: Selection, alias: string): SQL {
  const column = (name: string) => sql.raw(`${alias}.${name}`);
  const conditions = cellConditions(selection, alias);
  if (selection.clients) conditions.push(isOneOf(column('client'), selection.clients));
  if (selection.agents) conditions.push(isOneOf(column('agent_id'), selection.agents));
  if (selection.extractions) {
    conditions.push(sql`${column('extraction_id')} = any(${sql.param([...selection.extractions])}::uuid[])`);
  }
  if (selection.errorCodes) conditions.push(isOneOf(column('error_code'), selection.errorCodes));
  return allOf(conditions);
}

/**
 * The condition on cells `alias` of sums.
 * @param apart what the cells have apart: agents and clients, or only one of them, or none
 */
export function cellCondition(
  selection: Selection,
  alias: string,
  apart: { readonly agents: boolean; readonly clients: boolean },
): SQL {
  const column = (name: string) => sql.raw(`${alias}.${name}`);
  const conditions = cellConditions(selection, alias);
  if (selection.clients && apart.clients) {
    // No client is an empty one there, and nobody asks for that by name.
    conditions.push(
      isOneOf(
        column('client'),
        selection.clients.filter((name) => name !== ''),
      ),
    );
  }
  if (selection.agents && apart.agents) {
    conditions.push(isOneOf(column('agent_id'), selection.agents));
  }
  return allOf(conditions);
}

function cellConditions({ statuses }: Selection, alias: string): SQL[] {
  return statuses
    ? [sql`${sql.raw(`${alias}.status`)} = any(${sql.param([...statuses])}::text[]::tickmark.task_status[])`]
    : [];
}

/** Whether sums of one agent, client and status are among what a selection means; no client is an empty one. */
export function matcherOf({ statuses, agents, clients }: Selection) {
  const setOf = (values: readonly string[] | null) => values && new Set(values.map(storableText));
  const [some, of, from] = [setOf(statuses), setOf(agents), setOf(clients)];
  return (one: { readonly status: string; readonly agent_id: string; readonly client: string }): boolean =>
    (some?.has(one.status) ?? true) &&
    (of?.has(one.agent_id) ?? true) &&
    (from === null || (one.client !== '' && from.has(one.client)));
}
