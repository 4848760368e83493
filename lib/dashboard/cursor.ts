import 'server-only';
import { z } from 'zod';
import { DomainError } from '@/lib/errors';

/**
 * Where a page of a list ended: the row's sort value and its id. Instants are whole microseconds since 1970, because
 * a JavaScript date would drop the last three digits and skip or repeat rows.
 */
const Cursor = z.object({
  sort: z.string(),
  value: z.number().min(-1e17).max(2.5e17).nullable(),
  id: z.guid(),
});
export type Cursor = z.infer<typeof Cursor>;

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** Throws `bad_request` for anything that this list did not hand out itself. */
export function decodeCursor(text: string, sort: string): Cursor {
  const cursor = Cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!cursor.success || cursor.data.sort !== sort) {
    throw new DomainError('bad_request', 'cursor: not one that this list gave out; start again without it.');
  }
  return cursor.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
