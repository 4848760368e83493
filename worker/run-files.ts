import type { Db } from '@/lib/db/client';
import type { Logger } from '@/lib/log';
import { type DocumentStore, INPUT_FILE } from '@/lib/platform/document-store/port';
import { aFewAtOnce } from '@/lib/queue/a-few-at-once';
import { findOver } from '@/lib/queue/run-owners';
import type { Pace } from './loop';

export interface RunFilesDeps {
  readonly db: Db;
  readonly store: DocumentStore;
  readonly log: Logger;
}

/** `input.json` holds the model's key and the callback's: it goes soon after its run. */
const INPUT_SECONDS = 60;
/**
 * The folder is kept: for whoever looks into a failure, and because its `host.json` is what keeps a worker that was
 * frozen for hours from starting the run a second time.
 */
const FOLDER_SECONDS = 7 * 86_400;
const BATCH = 1_000;
const AT_ONCE = 4;
/** A straggler may write an input anew, so what is known to be tidy is forgotten now and then. */
const FORGET_AFTER_LOOKS = 60;

/** Removes what runs leave beside the documents once nothing needs it any more. */
export function createRunFileKeeper(deps: RunFilesDeps): () => Promise<Pace> {
  const tidy = new Set<string>();
  let looks = 0;

  const tidyUp = async (attemptIds: readonly string[]) => {
    const over = await findOver(deps.db, attemptIds);
    await aFewAtOnce(AT_ONCE, over, async ({ attemptId, secondsAgo }) => {
      try {
        if (secondsAgo > FOLDER_SECONDS) {
          await deps.store.removeRunFiles(attemptId);
          tidy.delete(attemptId);
        } else if (secondsAgo > INPUT_SECONDS && !tidy.has(attemptId)) {
          await deps.store.removeRunFile(attemptId, INPUT_FILE);
          tidy.add(attemptId);
        }
      } catch (err) {
        deps.log.error({ attemptId, err }, 'run_files.not_removed');
      }
    });
  };

  return async () => {
    if (looks++ % FORGET_AFTER_LOOKS === 0) tidy.clear();
    const attemptIds = await deps.store.listRuns();
    for (let from = 0; from < attemptIds.length; from += BATCH) {
      await tidyUp(attemptIds.slice(from, from + BATCH));
    }
    return 'idle';
  };
}
