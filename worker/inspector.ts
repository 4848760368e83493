import type { Db } from '@/lib/db/client';
import {
  recordInspection,
  releaseUninspected,
  takeUninspected,
  type Uninspected,
} from '@/lib/documents/inspect';
import { documentPath } from '@/lib/documents/run-input';
import type { Logger } from '@/lib/log';
import type { DocumentStore } from '@/lib/platform/document-store/port';
import { type InspectPool, InspectPoolClosed } from './inspect-pool';
import type { Pace } from './loop';

export interface InspectorDeps {
  readonly db: Db;
  readonly workerId: string;
  readonly store: DocumentStore;
  readonly pool: InspectPool;
  /** How many documents are in hand at once. */
  readonly atOnce: number;
  /** How long a document in hand is left alone by other workers. */
  readonly holdSeconds: number;
  readonly maxPages: number;
  readonly log: Logger;
  /** There is room for another document. */
  readonly onRoom: () => void;
  /** A task has become claimable. */
  readonly onClaimable: () => void;
}

export interface Inspector {
  tick(): Promise<Pace>;
  /** Resolves when nothing is in hand any more. */
  settled(): Promise<void>;
}

/**
 * Looks into documents that wait for it, so that their tasks can be claimed or are turned away. Always as many as fit,
 * so that one that takes its full ten seconds doesn't hold up the others.
 */
export function createInspector(deps: InspectorDeps): Inspector {
  const inHand = new Set<Promise<void>>();
  /** Whose turn it was last; each worker goes round by itself. */
  let after: string | null = null;
  return {
    async tick() {
      const room = deps.atOnce - inHand.size;
      if (room === 0) return 'idle';
      const { db, workerId, holdSeconds } = deps;
      for (const document of await takeUninspected(db, { workerId, limit: room, holdSeconds, after })) {
        after = document.extractionId;
        const work = inspectOne(deps, document).finally(() => {
          inHand.delete(work);
          deps.onRoom();
        });
        inHand.add(work);
      }
      return 'idle';
    },
    async settled() {
      await Promise.all(inHand);
    },
  };
}

/** Never throws: what goes wrong here is tried again when the hold on the document has passed. */
async function inspectOne(deps: InspectorDeps, document: Uninspected): Promise<void> {
  const { db, store, pool, maxPages, log } = deps;
  try {
    // Without a place to look at, the run's input can't be made either, and that says why.
    const isOurs = documentPath(store, document.storageUri) !== null;
    const look = (path: string) => pool.inspect(path, maxPages);
    const reply = isOurs ? await store.lendFile(document.storageUri, look) : null;
    const decision = await recordInspection(db, document, reply, maxPages);
    log.info({ taskId: document.taskId, ...decision }, 'inspected');
    if (decision.kind === 'estimate') deps.onClaimable();
  } catch (err) {
    if (!(err instanceof InspectPoolClosed)) log.error({ taskId: document.taskId, err }, 'inspect.failed');
    else await releaseUninspected(db, document.documentId).catch(() => {});
  }
}
