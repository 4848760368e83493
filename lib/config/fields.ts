import { z } from 'zod';

/** One sentence for whatever is wrong with a value: the reader set a variable and knows no zod. */
export const int = (min: number, max: number) => {
  const error = `needs a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};
export const seconds = (min: number, max: number) => {
  const error = `needs a number of seconds from ${min} to ${max}`;
  return z.coerce.number({ error }).min(min, { error }).max(max, { error });
};
export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `needs one of ${values.join(', ')}` });
export const secret = z.string().min(32, { error: 'needs at least 32 characters' });

/** An unset variable and an empty one mean the same. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
export const withDefault = <T extends z.ZodType>(schema: T, fallback: z.output<T>) =>
  optional(schema).transform((value) => value ?? fallback);

export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'needs an address that begins with http:// or https://',
});
export const origin = webAddress.transform((value) => value.replace(/\/+$/, ''));

/** Names, separated by commas. */
export const names = z.string().transform((value) =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean),
);

const LOOPBACK = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** True where only this machine can connect. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}
