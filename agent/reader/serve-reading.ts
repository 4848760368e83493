import { parentPort, workerData } from 'node:worker_threads';
import { readDocument } from './read-document';
import { ReadError } from './read-error';
import type { ReadOrder, ThreadMessage } from './supervised-read';

/** The reader thread's side of {@link supervisedRead}: reads the document it was ordered and posts what it finds. */
export async function serveReading(): Promise<void> {
  const post = (message: ThreadMessage) => parentPort?.postMessage(message);
  const { path, maxPages, withPictures } = workerData as ReadOrder;
  try {
    for await (const event of readDocument(path, maxPages, withPictures)) post(event);
  } catch (error) {
    if (error instanceof ReadError) post({ kind: 'failed', code: error.code, message: error.message });
    else post({ kind: 'crashed', error });
  }
}
