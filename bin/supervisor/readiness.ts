import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@/lib/config/schema';

const PROBE_MS = 3000;

/**
 * Resolves when the app says that all is there (database, schema, a worker's sign of life).
 * @param giveUp called before each try; it throws to end the wait
 */
export async function waitUntilReady(config: Config, giveUp: (lastAnswer: string) => void): Promise<void> {
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}/readyz`;
  for (let last = 'no answer yet'; ; ) {
    giveUp(last);
    try {
      const answer = await fetch(address, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'manual' });
      const body = await answer.text();
      if (answer.ok) return;
      last = `${answer.status} ${body.slice(0, 500)}`;
    } catch (error) {
      last = (error as Error).cause instanceof Error ? String((error as Error).cause) : String(error);
    }
    await delay(200);
  }
}
