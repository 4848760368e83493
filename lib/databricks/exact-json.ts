import { isInteger, isSafeNumber, parse, stringify } from 'lossless-json';
import { z } from 'zod';

/**
 * Parses JSON whose ids are 64-bit numbers: a number that a JavaScript number can't hold exactly becomes the string of
 * its digits. Throws `SyntaxError`.
 */
export function parseExactJson(text: string): unknown {
  return parse(text, null, (digits) =>
    isInteger(digits) && !isSafeNumber(digits) ? digits : Number(digits),
  );
}

/** Writes JSON; a `bigint` becomes a number with all its digits, which is how an id is sent. */
export function writeExactJson(value: unknown): string {
  return stringify(value) ?? 'null';
}

/** A 64-bit id as it is kept here: a string of digits, whether it came as a number or as one. */
export const WorkspaceId = z
  .union([z.string().regex(/^\d{1,20}$/), z.number().int().nonnegative()])
  .transform(String);

/** An id as the API takes it: a JSON number. Throws `TypeError` for what is none. */
export function idNumber(id: string): bigint {
  if (!/^\d{1,19}$/.test(id)) throw new TypeError(`not a number that names a thing: ${id.slice(0, 100)}`);
  return BigInt(id);
}
