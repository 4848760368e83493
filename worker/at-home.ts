import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@/lib/log';
import { beat, leave, type WorkerProcess } from '@/lib/queue/worker-heartbeat';
import type { Runtime } from '@/lib/runtime';

const LOOK_MS = 3_000;

/**
 * Returns once the database is where it belongs. In a copy the worker says that it is there, so that the app is ready
 * and a person can look around, and does nothing else: no claim, no question about a run, no cancel.
 */
export async function waitToBeAtHome(
  { db, home }: Pick<Runtime, 'db' | 'home'>,
  self: WorkerProcess,
  log: Logger,
): Promise<void> {
  if (await home.isHere()) return;
  // A copy, or a database whose place is not told: both wait for a person.
  log.warn('worker.stands_by_in_a_copy');
  while (!(await home.isHere())) {
    await beat(db, self);
    await delay(LOOK_MS);
  }
  await leave(db, self.id);
}
