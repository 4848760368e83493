import type { Db } from '@/lib/db/client';
import { tidyOnce } from '@/lib/housekeeping/tidy';
import type { Logger } from '@/lib/log';
import type { Pace } from './loop';

/** Removes helper rows that are old, batch by batch with other work in between. */
export async function houseKeepOnce(db: Db, log: Logger, days: number): Promise<Pace> {
  const { removed, isMore } = await tidyOnce(db, { days });
  if (Object.keys(removed).length > 0) log.info(removed, 'rows.removed');
  return isMore ? 'soon' : 'idle';
}
