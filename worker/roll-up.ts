import type { Db } from '@/lib/db/client';
import { foldOnce } from '@/lib/figures/fold';
import { sampleQueueOnce } from '@/lib/figures/sample-queue';
import { sumUpOnce } from '@/lib/figures/sum-up';
import type { Logger } from '@/lib/log';
import type { Pace } from './loop';

/** Replicas take turns; a change is folded about a second after it was made. */
const SPACING_MS = 700;
/** How often hours, days and months that have become quiet are looked for. */
const SUM_UP_MS = 5_000;
const SAMPLE_MS = 20_000;

/** Keeps the figures of the dashboard up with the rows. */
export function createRollUp({ db, log }: { readonly db: Db; readonly log: Logger }): () => Promise<Pace> {
  const due = { sumUp: 0, sample: 0 };
  return async () => {
    const { changes, isMore } = await foldOnce(db, { spacingMs: SPACING_MS });
    if (changes > 1_000) log.debug({ changes }, 'figures.folded');
    const now = performance.now();
    if (now >= due.sample) {
      due.sample = now + SAMPLE_MS;
      await sampleQueueOnce(db);
    }
    if (isMore) return 'soon';
    if (now >= due.sumUp) {
      due.sumUp = now + SUM_UP_MS;
      await sumUpOnce(db);
    }
    return 'idle';
  };
}
