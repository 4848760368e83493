import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';

/** A span as far as figures need it. */
export interface Span {
  readonly id: string;
  readonly parentId: string | null;
  readonly attributes: ReadonlyMap<string, unknown>;
}

const ID = z.string().min(1).max(64);
const ListedAttribute = z.object({ key: z.string(), value: z.unknown() });

/**
 * Spans as MLflow's REST API gives them: attributes as a list of OTLP `AnyValue`s with snake-case names, or, as they are
 * stored, as a map of JSON texts (mlflow/entities/span.py). Proto JSON may leave empty fields out.
 */
export const SpanJson = z
  .object({
    span_id: ID,
    parent_span_id: ID.or(z.literal('')).nullish(),
    attributes: z.union([z.array(ListedAttribute), z.record(z.string(), z.unknown())]).default([]),
  })
  .transform(({ span_id, parent_span_id, attributes }): Span => {
    const listed = Array.isArray(attributes)
      ? attributes.map(({ key, value }) => [key, anyValue(value, 0)] as const)
      : Object.entries(attributes);
    return {
      id: span_id,
      parentId: parent_span_id || null,
      attributes: new Map(listed.map(([key, value]) => [key, unpacked(value)])),
    };
  });

/** Spans that are read between two looks at what else there is to do: about five milliseconds. */
const SLICE = 1_000;

/** Many spans, a slice at a time, so that heartbeats and callbacks go on meanwhile; null where one is none. */
export async function readSpans(listed: readonly unknown[]): Promise<Span[] | null> {
  const spans: Span[] = [];
  for (const [n, one] of listed.entries()) {
    if (n % SLICE === SLICE - 1) await setImmediate();
    const parsed = SpanJson.safeParse(one);
    if (!parsed.success) return null;
    spans.push(parsed.data);
  }
  return spans;
}

/** Deeper than any attribute that is read here. */
const MAX_DEPTH = 4;

function anyValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  const of = value as Record<string, unknown>;
  if ('kvlist_value' in of) {
    const { values } = z
      .object({ values: z.array(ListedAttribute).default([]) })
      .catch({ values: [] })
      .parse(of.kvlist_value);
    return Object.fromEntries(values.map(({ key, value: inner }) => [key, anyValue(inner, depth + 1)]));
  }
  return of.string_value ?? of.int_value ?? of.double_value ?? of.bool_value;
}

/** What is sent as a JSON text is stored as the object by some and as the text by others. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^["{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
