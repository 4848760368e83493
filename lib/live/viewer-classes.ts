import 'server-only';
import type { ClientScope } from '@/lib/auth/roles';
import type { SseFrame, SseWriter } from '@/lib/http/sse';

/** Streams whose viewers may see the same: an event is written once for all of them. */
export interface ViewerClass {
  readonly scope: ClientScope;
  send(frame: SseFrame): void;
}

export interface ViewerClasses {
  readonly size: number;
  /** Adds a stream; the answer takes it away again. */
  add(scope: ClientScope, writer: SseWriter): () => void;
  /** The classes that have a stream now. */
  all(): ViewerClass[];
  sendAll(frame: SseFrame): void;
  endAll(): void;
}

/** Open streams, by what their viewers may see. */
export function createViewerClasses(): ViewerClasses {
  const classes = new Map<string, { readonly scope: ClientScope; readonly writers: Set<SseWriter> }>();
  const sendTo = (writers: Iterable<SseWriter>, frame: SseFrame) => {
    for (const writer of writers) writer.send(frame);
  };
  return {
    get size() {
      let size = 0;
      for (const { writers } of classes.values()) size += writers.size;
      return size;
    },
    add(scope, writer) {
      const key = JSON.stringify(scope && [...scope].sort());
      const found = classes.get(key) ?? { scope, writers: new Set() };
      classes.set(key, found);
      found.writers.add(writer);
      return () => {
        found.writers.delete(writer);
        if (found.writers.size === 0 && classes.get(key) === found) classes.delete(key);
      };
    },
    all: () =>
      [...classes.values()].map(({ scope, writers }) => ({ scope, send: (frame) => sendTo(writers, frame) })),
    sendAll(frame) {
      for (const { writers } of classes.values()) sendTo(writers, frame);
    },
    endAll() {
      for (const { writers } of classes.values()) for (const writer of writers) writer.end();
    },
  };
}
