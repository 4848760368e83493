import { Worker } from 'node:worker_threads';
import type { ErrorCode } from '@/lib/contract/error-codes';
import type { ReadEvent } from './read-document';
import { ReadError } from './read-error';

/** What the reader thread is told when it starts. */
export interface ReadOrder {
  readonly path: string;
  readonly maxPages: number;
  /** Pictures of pages without text of their own, for a model that sees. */
  readonly withPictures?: boolean;
}

/** What the reader thread posts: events, and at the end why it stopped if it did. */
export type ThreadMessage =
  | ReadEvent
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'crashed'; readonly error: unknown };

export interface ReadLimits {
  /** The reader must come to the next page within this time. */
  readonly stallSeconds: number;
  /** Of the thread's JavaScript heap; what lies outside of it, the host watches. */
  readonly maxHeapMb: number;
}

/** A dense scan takes some 5 s alone; several runs share a machine. */
export const STALL_SECONDS = 120;

/**
 * Reads a document in a thread that can be ended at any instruction: a PDF can keep a parser busy for hours, and a
 * parser that is busy cannot look at a clock.
 * @param script the bundle that runs `serveReading` when it is started as a thread
 */
export async function* supervisedRead(
  script: URL,
  order: ReadOrder,
  limits: ReadLimits,
): AsyncGenerator<ReadEvent> {
  const thread = new Worker(script, {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb },
  });
  const inbox = new Inbox();
  thread.on('message', (message: ThreadMessage) => inbox.put(message));
  thread.on('error', (error) => inbox.put(isOutOfMemory(error) ? tooMuchMemory : { kind: 'crashed', error }));
  thread.on('exit', () => inbox.put({ kind: 'crashed', error: new Error('the reader thread ended early') }));
  try {
    for (;;) {
      const message = await inbox.take(limits.stallSeconds);
      if (message === null) {
        throw new ReadError(
          'resource_limit',
          `Reading stood still for ${limits.stallSeconds} seconds. Print the document to a new PDF, or split it.`,
        );
      }
      if (message.kind === 'failed') throw new ReadError(message.code, message.message);
      if (message.kind === 'crashed') throw message.error;
      yield message;
      if (message.kind === 'done') return;
    }
  } finally {
    await thread.terminate();
  }
}

const tooMuchMemory: ThreadMessage = {
  kind: 'failed',
  code: 'resource_limit',
  message: 'Reading the PDF took more memory than one document may use. Print it to a new PDF, or split it.',
};

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Messages in order, taken one at a time. */
class Inbox {
  private readonly waiting: ThreadMessage[] = [];
  private wake: (() => void) | null = null;

  put(message: ThreadMessage): void {
    this.waiting.push(message);
    this.wake?.();
  }

  /** The next message, or null when none comes in time. */
  async take(seconds: number): Promise<ThreadMessage | null> {
    if (this.waiting.length === 0) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, seconds * 1000);
      });
      clearTimeout(timer);
      this.wake = null;
    }
    return this.waiting.shift() ?? null;
  }
}
