import { z } from 'zod';
import { TaskFilters } from '@/lib/contract/api-requests';
import { storableText } from '@/lib/contract/text';

/** Filters, and what the viewer may see, as one text that is the same whenever they mean the same. */
export function canonicalFilters(filters: TaskFilters, scope: readonly string[] | null): string {
  const list = (values: readonly string[] | null | undefined) =>
    values ? [...new Set(values.map(storableText))].sort() : null;
  return JSON.stringify({
    from: filters.from ?? null,
    to: filters.to ?? null,
    status: list(filters.status),
    agent: list(filters.agent),
    client: list(filters.client),
    extraction: list(filters.extraction?.map((id) => id.toLowerCase())),
    errorCode: list(filters.errorCode),
    scope: list(scope),
  });
}

const Canonical = z.record(z.string(), z.unknown());

/** What {@link canonicalFilters} wrote down. */
export function parseCanonicalFilters(text: string): {
  readonly filters: TaskFilters;
  readonly scope: readonly string[] | null;
} {
  const { scope, ...rest } = Canonical.parse(JSON.parse(text));
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    filters: TaskFilters.parse(given),
    scope: z
      .array(z.string())
      .nullable()
      .parse(scope ?? null),
  };
}
