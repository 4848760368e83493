import { randomUUID } from 'node:crypto';
import { type CallbackTarget, makeDelivery, postDelivery } from '@/agent/report';
import type { Progress, Usage } from '@/lib/contract/callback';
import type { CallbackHead } from './outcome';

const SPACING_MS = 1_000;
/** One try: the next progress report makes up for a lost one. */
const PATIENCE = { retries: 0, firstWaitMs: 0, timeoutMs: 5_000 };

export interface ProgressReporter {
  report(progress: Progress, usage: Usage | null): void;
  /** Nothing is sent any more once this resolves. */
  close(): Promise<void>;
}

/**
 * Posts progress at most once a second and never two at a time; of what comes in between, the last is sent.
 * @param onStop called when the app answers that the run should end
 */
export function createProgressReporter(
  target: CallbackTarget,
  head: CallbackHead,
  onStop: () => void,
): ProgressReporter {
  let latest: { progress: Progress; usage: Usage | null } | null = null;
  let sending: Promise<void> | null = null;
  let pause: { timer: NodeJS.Timeout; end: () => void } | null = null;
  let closed = false;

  const sendAll = async () => {
    while (latest && !closed) {
      const { progress, usage } = latest;
      latest = null;
      const callback = { type: 'attempt.progress' as const, ...head, progress, usage };
      const outcome = await postDelivery(target, makeDelivery(randomUUID(), callback), PATIENCE);
      if (outcome.kind === 'answered' && outcome.answer.stop) onStop();
      await new Promise<void>((end) => {
        pause = { end, timer: setTimeout(end, closed ? 0 : SPACING_MS) };
      });
    }
  };

  return {
    report(progress, usage) {
      latest = { progress, usage };
      sending ??= sendAll().finally(() => {
        sending = null;
      });
    },
    async close() {
      closed = true;
      if (pause) {
        clearTimeout(pause.timer);
        pause.end();
      }
      await sending;
    },
  };
}
