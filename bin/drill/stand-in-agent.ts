import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ChildMessage } from '@/lib/contract/child-messages';

// In place of the agent child: it reads no document. The document's file name says what it does, as `work:300`.

interface Told {
  readonly taskId: string;
  readonly attemptId: string;
  readonly document: { readonly filename: string };
}

const inputPath = process.argv[2] ?? '';
const input = JSON.parse(readFileSync(inputPath, 'utf8')) as Told;
const [behaviour = '', detail = ''] = input.document.filename.split(':');
// One line per start: a second one would be a doubled run.
appendFileSync(path.join(path.dirname(inputPath), 'begun'), `${process.pid}\n`);
process.on('disconnect', () => process.exit(0));

const usage = { model: 'stand-in', inputTokens: 100, outputTokens: 10 };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function send(message: unknown): Promise<void> {
  return new Promise((resolve) => process.send?.(message as ChildMessage, () => resolve()));
}

async function succeed(): Promise<void> {
  const value = input.document.filename;
  const fields = [{ name: 'invoice_number', value, confidence: 0.9, page: 1, box: null }];
  await send({ kind: 'succeeded', result: { documentType: 'invoice', confidence: 0.9, fields }, usage });
  process.exit(0);
}

const behaviours: Record<string, () => Promise<void>> = {
  /** Takes so many milliseconds. */
  async work() {
    await pause(Number(detail));
    await succeed();
  },
  /** Until the file is there. */
  async wait() {
    while (!existsSync(detail)) await pause(25);
    await succeed();
  },
  async progress() {
    const total = Number(detail);
    for (let done = 1; done <= total; done += 1) {
      await send({ kind: 'progress', progress: { done, total }, usage });
      // The host sums progress up; some of it is to be sent.
      await pause(700);
    }
    await succeed();
  },
  /** A document that takes all with it: its reader and the process that watches it. */
  async poison() {
    process.kill(process.ppid, 'SIGKILL');
    process.kill(process.pid, 'SIGKILL');
  },
};
await behaviours[behaviour]?.();
