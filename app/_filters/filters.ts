import {
  createParser,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import type { MetricsFilters } from '@/lib/api-client/queries';
import { STATUSES } from '../_ui/status';
import { RANGES, resolveRange } from './range';

/** An instant as the API takes it; anything else counts as no filter. */
const parseAsInstant = createParser({
  parse: (text) => (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && Date.parse(text) > 0 ? text : null),
  serialize: (text) => text,
});
const several = parseAsArrayOf(parseAsString).withDefault([]);

/** The filters of every page that shows figures or tasks, as they stand in the address. */
export const filterParsers = {
  range: parseAsStringLiteral(RANGES),
  from: parseAsInstant,
  to: parseAsInstant,
  status: parseAsArrayOf(parseAsStringLiteral(STATUSES)).withDefault([]),
  agent: several,
  client: several,
  extraction: several,
};
export type FilterValues = inferParserType<typeof filterParsers>;

/** `/tasks` with filters: `filteredHref('/tasks', { status: ['failed'] })`. */
export const filteredHref = createSerializer(filterParsers);

export const NO_FILTERS: FilterValues = {
  ...{ range: null, from: null, to: null },
  ...{ status: [], agent: [], client: [], extraction: [] },
};

/**
 * What the API is asked for; what is not filtered by is left out, so that server and browser use one key.
 * @param now milliseconds; ranges such as the last seven days end there
 */
export function filterQuery(
  values: FilterValues,
  timeZone: string,
  now: number,
): Omit<MetricsFilters, 'exact'> {
  const { status, agent, client, extraction } = values;
  return {
    ...resolveRange(values, timeZone, now),
    ...(status.length > 0 && { status: [...status] }),
    ...(agent.length > 0 && { agent: [...agent] }),
    ...(client.length > 0 && { client: [...client] }),
    ...(extraction.length > 0 && { extraction: [...extraction] }),
  };
}

/** Whether these leave anything out. */
export function isFiltered({ range, from, to, status, agent, client, extraction }: FilterValues): boolean {
  const lists = [status, agent, client, extraction];
  return range !== null || from !== null || to !== null || lists.some((list) => list.length > 0);
}
