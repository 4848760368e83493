import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Delivery } from '@/agent/report';
import { CallbackEnvelope } from '@/lib/contract/callback';

/** The outbox of a run in its folder on the Volume. */
export interface Outbox {
  write(envelope: string): Promise<void>;
  /** What an earlier start of the same run has left, or `null`. */
  read(): Promise<Delivery | null>;
}

export function volumeOutbox(runFolder: string): Outbox {
  const file = path.join(runFolder, 'outbox.json');
  return {
    async write(envelope) {
      // In one go from beginning to end: a mounted Volume knows no rename in place, and keeps the file when it is
      // closed. Half of an envelope would be no JSON, and is not taken by anybody.
      await writeFile(file, envelope, { mode: 0o600 });
      if ((await readFile(file, 'utf8')) !== envelope)
        throw new Error(`${file} was not kept as it was written`);
    },
    async read() {
      try {
        const { webhook, payload } = CallbackEnvelope.parse(JSON.parse(await readFile(file, 'utf8')));
        return { webhookId: webhook.id, body: payload };
      } catch {
        return null;
      }
    },
  };
}
