import type { Logger } from '@/lib/log';
import type { Bell } from './bell';

/** When to look again: at once, shortly (something local is about to change), or after the interval. */
export type Pace = 'again' | 'soon' | 'idle';

export interface LoopOptions {
  readonly intervalMs: number;
  /** Ends the loop after the tick that is under way. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Told of each run. */
  readonly onRun?: (took: { readonly ms: number; readonly failed: boolean }) => void;
  /** Notifications are hints that make the next look earlier; the interval is the truth. */
  readonly bell: Bell;
}

const SOON_MS = 100;
const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 15_000;

/**
 * Calls `tick` again and again until the signal is aborted. An error is logged and backed off from, and never ends
 * the loop. Waits are spread by ±20 % so that replicas don't look in step. Silent while there is nothing to do.
 */
export async function runLoop(name: string, tick: () => Promise<Pace>, options: LoopOptions): Promise<void> {
  const { intervalMs, signal, log, bell } = options;
  let failures = 0;
  while (!signal.aborted) {
    let waitMs: number;
    const began = performance.now();
    try {
      const pace = await tick();
      options.onRun?.({ ms: performance.now() - began, failed: false });
      if (failures > 0) log.info({ loop: name, failures }, 'loop.recovered');
      failures = 0;
      waitMs = { again: 0, soon: SOON_MS, idle: intervalMs }[pace];
    } catch (err) {
      failures += 1;
      options.onRun?.({ ms: performance.now() - began, failed: true });
      log.error({ loop: name, failures, err }, 'loop.failed');
      waitMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 10));
    }
    // While failing, a bell that rings all the time must not turn the back-off into a busy loop.
    if (failures > 0) await pause(spread(waitMs), signal);
    else if (waitMs > 0) await bell.wait(spread(waitMs), signal);
  }
}

function spread(ms: number): number {
  return ms * (0.8 + Math.random() * 0.4);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
