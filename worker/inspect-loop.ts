import type { Db } from '@/lib/db/client';
import { recordInspection, takeUninspected, type Uninspected } from '@/lib/documents/inspect';
import type { Logger } from '@/lib/log';
import type { DocumentStore } from '@/lib/platform/document-store/port';
import type { InspectPool } from './inspect-pool';
import type { Pace } from './loop';

export interface InspectDeps {
  readonly db: Db;
  readonly store: DocumentStore;
  readonly pool: InspectPool;
  /** How many documents are taken at a time. */
  readonly batch: number;
  /** How long a taken document is left alone by other workers. */
  readonly holdSeconds: number;
  readonly maxPages: number;
  readonly log: Logger;
  /** A task has become claimable. */
  readonly onClaimable: () => void;
}

/** Looks into documents that wait to be inspected, so that their tasks can be claimed or are turned away. */
export async function inspectOnce(deps: InspectDeps): Promise<Pace> {
  const documents = await takeUninspected(deps.db, deps.batch, deps.holdSeconds);
  const results = await Promise.allSettled(documents.map((document) => inspectOne(deps, document)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return documents.length > 0 ? 'again' : 'idle';
}

async function inspectOne(deps: InspectDeps, document: Uninspected): Promise<void> {
  const path = deps.store.pathForRun(document.storageUri);
  const reply = await deps.pool.inspect(path, deps.maxPages);
  const decision = await recordInspection(deps.db, document, reply, deps.maxPages);
  deps.log.info({ taskId: document.taskId, ...decision }, 'inspected');
  if (decision.kind === 'estimate') deps.onClaimable();
}
