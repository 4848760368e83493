import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 40;

/** Waits until `look` gives something truthy and returns it; throws with `what` after `seconds` (default 60). */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  seconds = 60,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen) return seen as NonNullable<T>;
    if (performance.now() > deadline) throw new Error(`waited ${seconds} s in vain for ${what}`);
    await delay(LOOK_MS);
  }
}
