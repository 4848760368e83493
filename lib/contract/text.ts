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

/** Any JSON value from outside with all its strings and keys made storable. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(storableJson);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [storableText(key), storableJson(inner)]),
    );
  }
  return value;
}
