import { setTimeout as delay } from 'node:timers/promises';

/** Waits until `look` gives something truthy and returns it; throws with `what` after 45 s. For real processes. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = Date.now() + 45_000;
  for (;;) {
    const seen = await look();
    if (seen) return seen as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await delay(25);
  }
}
