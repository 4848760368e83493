import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const MAX_BYTES = 20 * 1024 * 1024;
const KEPT_LINES = 20;
const WARN = 40;

/** What a process of ours writes: kept in a file, its warnings also told at the terminal. */
export class ChildLog {
  #handle: number;
  #bytes: number;
  readonly #last: string[] = [];

  /**
   * @param file grows to 20 MB, then becomes `<file>.1`
   * @param tell for each line worth a person's attention; `everything` sends all lines there
   */
  constructor(
    private readonly name: string,
    private readonly file: string,
    private readonly tell: (line: string) => void,
    private readonly everything: boolean,
  ) {
    this.#bytes = existsSync(file) ? statSync(file).size : 0;
    this.#handle = openSync(file, 'a', 0o600);
  }

  follow(stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) =>
      this.#add(line),
    );
  }

  /** The last lines, for the moment when the process ends unasked. */
  tail(): string {
    return this.#last.join('\n');
  }

  #add(line: string): void {
    if (this.#bytes > MAX_BYTES) this.#turn();
    this.#bytes += Buffer.byteLength(line) + 1;
    this.#write(`${line}\n`);
    this.#last.push(line);
    if (this.#last.length > KEPT_LINES) this.#last.shift();
    if (this.everything) this.tell(line);
    else {
      const warning = readWarning(line);
      if (warning) this.tell(`${this.name}: ${warning}`);
    }
  }

  /** At once, so that the last words before an end are kept. */
  #write(text: string): void {
    try {
      writeSync(this.#handle, text);
    } catch {
      // A full disk must not end what it only describes.
    }
  }

  #turn(): void {
    closeSync(this.#handle);
    renameSync(this.file, `${this.file}.1`);
    this.#bytes = 0;
    this.#handle = openSync(this.file, 'a', 0o600);
  }
}

function readWarning(line: string): string | null {
  if (!line.startsWith('{')) return null;
  try {
    const entry = JSON.parse(line) as {
      level?: number;
      msg?: string;
      event?: string;
      err?: { message?: string };
    };
    if (typeof entry.level !== 'number' || entry.level < WARN) return null;
    return [entry.msg ?? entry.event, entry.err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return null;
  }
}
