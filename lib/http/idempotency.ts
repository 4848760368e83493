import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';

/** An answer that can be given again. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface OnceRequest {
  /** Caller and route: another caller's key is another key. */
  readonly scope: string;
  /** The `Idempotency-Key` header; null = nothing is remembered. */
  readonly key: string | null;
  /** Everything that was asked for. */
  readonly asked: unknown;
}

/** The header's value. Throws `bad_request` for one that can't be a key. */
export function idempotencyKey(headers: Headers): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new DomainError('bad_request', 'Idempotency-Key: 1 to 200 printable characters without spaces.');
  }
  return key;
}

/**
 * Does something once per key, in one transaction with the note that it was done: after a crash there are both or
 * neither. Who comes with the same key meanwhile waits for the row and then gets the first answer. Throws
 * `unprocessable` when the key was used to ask for something else.
 */
export async function answerOnce(
  db: Db,
  request: OnceRequest,
  perform: (tx: Tx) => Promise<Answer>,
): Promise<Answer & { readonly replayed: boolean }> {
  return withTransaction(db, async (tx) => {
    const hash = createHash('sha256').update(JSON.stringify(request.asked)).digest('hex');
    const earlier = request.key === null ? null : await reserve(tx, request.scope, request.key, hash);
    if (earlier) return { ...earlier, replayed: true };
    const answer = await perform(tx);
    if (request.key !== null) await remember(tx, request.scope, request.key, answer);
    return { ...answer, replayed: false };
  });
}

/** Takes the key, or finds the answer that it led to. The insert waits for another transaction that is taking it. */
async function reserve(tx: Tx, scope: string, key: string, hash: string): Promise<Answer | null> {
  const taken = await tx.execute(sql`
    /* http.reserve_key */
    insert into tickmark.idempotency_keys (scope, key, request_hash)
    values (${scope}, ${key}, ${hash})
    on conflict (scope, key) do nothing
    returning 1`);
  if (taken.rows.length > 0) return null;
  const { rows } = await tx.execute<{ request_hash: string; status: number; body: unknown }>(sql`
    /* http.find_answer */
    select request_hash, status, body
    from tickmark.idempotency_keys
    where scope = ${scope} and key = ${key}`);
  const row = rows[0];
  // Taken back between the two statements: the caller may simply ask again.
  if (!row) throw new DomainError('conflict', 'The same Idempotency-Key is being used just now. Try again.');
  if (row.request_hash !== hash) {
    throw new DomainError('unprocessable', 'This Idempotency-Key was used before to ask for something else.');
  }
  return { status: row.status, body: row.body };
}

async function remember(tx: Tx, scope: string, key: string, answer: Answer): Promise<void> {
  await tx.execute(sql`
    /* http.remember_answer */
    update tickmark.idempotency_keys
    set status = ${answer.status}, body = ${JSON.stringify(answer.body)}::jsonb
    where scope = ${scope} and key = ${key}`);
}
