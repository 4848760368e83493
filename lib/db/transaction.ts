import { setTimeout as delay } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { PgTransaction } from 'drizzle-orm/pg-core';
import type { Db, Queryable, Tx } from './client';
import { errorCode, isConnectionLoss } from './connection-loss';

const MAX_TRIES = 5;
const open = new WeakSet<object>();

/**
 * Runs `fn` in one READ COMMITTED transaction, or in the caller's when it is given one. Runs it again after a
 * serialization failure, a deadlock, or a connection that was lost before the commit was sent; after that the outcome
 * is unknown and the error rises. So `fn` may run more than once and must do nothing outside the transaction.
 *
 * Not drizzle's `db.transaction`: where `begin` meets a dead connection, that never gives it back to the pool.
 */
export async function withTransaction<T>(db: Queryable, fn: (tx: Tx) => Promise<T>): Promise<T> {
  if (isTransaction(db)) return fn(db);
  const progress = { committing: false };
  return again(
    (error) => isConflict(error) || (!progress.committing && isConnectionLoss(error)),
    () => {
      progress.committing = false;
      return runOnce(db, fn, progress);
    },
  );
}

/**
 * Runs `fn`, which sends one statement, as a transaction of its own without the round trips of one, or in the caller's.
 * Runs it again after a conflict, or when the connection was lost: then the statement may have taken effect, too, so it
 * must be one that may be sent twice.
 */
export async function inOneStatement<T>(db: Queryable, fn: () => Promise<T>): Promise<T> {
  if (isTransaction(db)) return fn();
  return again((error) => isConflict(error) || isConnectionLoss(error), fn);
}

async function again<T>(isPassing: (error: unknown) => boolean, fn: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn();
    } catch (error) {
      if (!isPassing(error) || attempt >= MAX_TRIES) throw error;
      await delay(Math.random() * 20 * 2 ** attempt);
    }
  }
}

async function runOnce<T>(db: Db, fn: (tx: Tx) => Promise<T>, progress: { committing: boolean }): Promise<T> {
  const client = await db.$client.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level read committed');
    const tx = drizzle({ client }) as unknown as Tx;
    open.add(tx);
    const result = await fn(tx);
    progress.committing = true;
    await client.query('commit');
    return result;
  } catch (error) {
    // What went wrong is told, not that the rollback after it went wrong too; such a connection is not used again.
    await client.query('rollback').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Whether a handle is a transaction of the caller's. */
function isTransaction(db: Queryable): db is Tx {
  return db instanceof PgTransaction || open.has(db);
}

/** Serialization failure or deadlock: the same transaction may well succeed now. */
function isConflict(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '40P01';
}
