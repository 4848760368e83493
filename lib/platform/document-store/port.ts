import type { Readable } from 'node:stream';

/** What is known of bytes once they are stored. Bytes are kept once by hash: the same content gives the same `uri`. */
export interface StoredObject {
  readonly uri: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Why bytes were not stored; nothing is left behind. */
export class DocumentRefused extends Error {
  constructor(readonly code: 'empty_file' | 'too_large') {
    super(code);
    this.name = 'DocumentRefused';
  }
}

/** A part of a file: both ends inclusive, as in an HTTP range. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where documents and the files beside their runs are kept. Implementations stream: no document is ever held whole in
 * memory. A missing object is `null`, never an exception; anything else that goes wrong throws with its cause.
 */
export interface DocumentStore {
  /** Stores a stream of 1 to `maxBytes` bytes. Throws {@link DocumentRefused}; on any error nothing is left behind. */
  put(bytes: Readable, options: { maxBytes: number }): Promise<StoredObject>;
  /** Opens an object, whole or in part. */
  open(uri: string, range?: ByteRange): Promise<{ bytes: Readable; sizeBytes: number } | null>;
  remove(uri: string): Promise<void>;
  /** The absolute path under which a run can open the object; nothing says that this process can. Throws `TypeError` for an address that is not of this store. */
  pathForRun(uri: string): string;
  /**
   * Lends the object as a file of this machine, for as long as `use` takes; `null` when it is absent. Throws `TypeError`
   * for an address that is not of this store.
   */
  lendFile<T>(uri: string, use: (path: string) => Promise<T>): Promise<T | null>;
  /** Writes `runs/<attemptId>/<name>` whole or not at all (readable by app and run alone); returns the path for the run. */
  writeRunFile(attemptId: string, name: string, content: string): Promise<string>;
  /** Reads `runs/<attemptId>/<name>`; `null` when absent; throws when larger than `maxBytes`. */
  readRunFile(attemptId: string, name: string, maxBytes: number): Promise<string | null>;
  /** Removes `runs/<attemptId>/<name>`, if it is there. */
  removeRunFile(attemptId: string, name: string): Promise<void>;
  /** The attempts that have a folder `runs/<attemptId>`. */
  listRuns(): Promise<readonly string[]>;
  /** Removes `runs/<attemptId>` and all in it. */
  removeRunFiles(attemptId: string): Promise<void>;
}

/** The file that a run leaves in its folder with its final callback, for when the callback could not be delivered. */
export const OUTBOX_FILE = 'outbox.json';
/** The file that tells a run what to do. */
export const INPUT_FILE = 'input.json';
