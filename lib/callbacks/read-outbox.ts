import { MAX_CALLBACK_BYTES } from '@/lib/contract/callback';
import type { Logger } from '@/lib/log';
import { type DocumentStore, OUTBOX_FILE } from '@/lib/platform/document-store/port';
import type { Delivery } from '@/lib/queue/callback';
import { type VerifyDeps, verifyCallback } from './receive';

/** As a string inside JSON a body may take twice its size. */
const MAX_OUTBOX_BYTES = 2 * MAX_CALLBACK_BYTES + 10_000;

/**
 * The final report that a run left in its outbox, checked like a callback but for its age; `null` when there is none,
 * or none that can be used (said in the log). Throws when store or database can't tell now.
 */
export async function readOutbox(
  deps: VerifyDeps & { readonly store: DocumentStore; readonly log: Logger },
  attemptId: string,
): Promise<Delivery | null> {
  let rawBody: string | null;
  try {
    rawBody = await deps.store.readRunFile(attemptId, OUTBOX_FILE, MAX_OUTBOX_BYTES);
  } catch (err) {
    // Too large is for good; anything else may pass.
    if (!(err instanceof RangeError)) throw err;
    deps.log.warn({ attemptId, err }, 'outbox.unusable');
    return null;
  }
  if (rawBody === null) return null;
  const verified = await verifyCallback(deps, { headers: null, rawBody, checkAge: false });
  if (!('problem' in verified) && verified.attemptId === attemptId) return verified;
  deps.log.warn({ attemptId, ...('problem' in verified ? verified.problem : {}) }, 'outbox.unusable');
  return null;
}
