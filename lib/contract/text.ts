import { z } from 'zod';

/** What Postgres cannot store: NUL anywhere, and halves of surrogate pairs (jsonb refuses them, text garbles them). */
const NUL = String.fromCharCode(0);

/** `value` with NUL and lone surrogates replaced by U+FFFD, so that it can be stored and read back anywhere. */
export function storableText(value: string): string {
  return value.toWellFormed().replaceAll(NUL, '\uFFFD');
}

/** A string from outside, made storable, of at most `max` UTF-16 units. */
export function text(max: number) {
  return z.string().max(max).transform(storableText);
}

/** No result nests this deep; Postgres and our own code would run out of stack some thousands further down. */
const MAX_DEPTH = 100;

/** Any JSON value from outside with all its strings and keys made storable; what nests too deep becomes `null`. */
export function storableJson(value: unknown): unknown {
  return storable(value, 0);
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((inner) => storable(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [storableText(key), storable(inner, depth + 1)]),
  );
}
