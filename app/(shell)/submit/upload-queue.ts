import { ApiError } from '@/lib/api-client/api-error';
import { uploadDocument } from '@/lib/api-client/upload-document';
import type { ErrorCode } from '@/lib/contract/error-codes';
import { checkFile } from './check-file';
import { findDuplicates } from './find-duplicates';
import type { UploadFile } from './upload-file';

const AT_ONCE = 3;
const MAX_TRIES = 3;
const RETRY_PAUSE_MS = 1_500;
/** Progress events come by the hundred; the screen needs ten a second. */
const NOTIFY_MS = 100;

/**
 * The files of one submission: collects and checks them, then sends a few at once. A store outside of React, so that
 * 500 files with progress cost one render per tenth of a second.
 */
export class UploadQueue {
  #files: readonly UploadFile[] = [];
  #pending = new Map<string, Partial<UploadFile>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #listeners = new Set<() => void>();
  #lastKey = 0;

  constructor(private readonly maxFileBytes: number) {}

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** The files now; the same array until something changes. */
  snapshot = () => this.#files;

  /** Checks files and adds them, rejected ones too: a person must see what will not be sent. */
  async add(files: readonly File[]): Promise<void> {
    const added: UploadFile[] = [];
    for (const file of files) {
      const refusal = await checkFile(file, this.maxFileBytes).catch(() => UNREADABLE);
      this.#lastKey += 1;
      added.push({
        key: `file-${this.#lastKey}`,
        file,
        path: pathOf(file),
        size: file.size,
        state: refusal ? 'rejected' : 'ready',
        sentBytes: 0,
        problem: refusal?.problem ?? null,
        code: refusal?.code ?? null,
        sameAs: null,
      });
    }
    this.#replace([...this.#files, ...added]);
    const same = await findDuplicates(this.#files.filter((file) => file.state === 'ready'));
    this.#replace(
      this.#files.map((file) =>
        same.has(file.key) ? { ...file, sameAs: same.get(file.key) ?? null } : file,
      ),
    );
  }

  remove(keep: (file: UploadFile) => boolean): void {
    this.#replace(this.#files.filter(keep));
  }

  /** Sends everything that is ready (or failed before); resolves when each file is sent, rejected or failed. */
  async send(extractionId: string): Promise<void> {
    this.#replace(
      this.#files.map((file) =>
        file.state === 'ready' || file.state === 'failed'
          ? { ...file, state: 'waiting', problem: null, sentBytes: 0 }
          : file,
      ),
    );
    const lane = async () => {
      for (;;) {
        const next = this.#current().find((file) => file.state === 'waiting');
        if (!next) return;
        this.#update(next.key, { state: 'sending' }, true);
        await this.#sendOne(extractionId, next);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    this.#flush();
  }

  async #sendOne(extractionId: string, file: UploadFile): Promise<void> {
    // One key for all tries: a lost answer does not make a second document.
    const idempotencyKey = `${extractionId}:${file.key}`;
    for (let tries = 1; ; tries += 1) {
      try {
        const { rejected } = await uploadDocument({
          extractionId,
          file: file.file,
          idempotencyKey,
          onProgress: (sent, total) =>
            this.#update(file.key, { sentBytes: total > 0 ? (sent / total) * file.size : 0 }),
        });
        const refusal = rejected[0];
        if (refusal)
          this.#update(file.key, { state: 'rejected', problem: refusal.reason, code: refusal.code });
        else this.#update(file.key, { state: 'sent', sentBytes: file.size });
        return;
      } catch (error) {
        if (tries < MAX_TRIES && isPassing(error)) {
          await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS * tries));
          continue;
        }
        const problem =
          error instanceof ApiError ? error.message : 'The file could not be read. Choose it again.';
        this.#update(file.key, { state: 'failed', problem, sentBytes: 0 });
        return;
      }
    }
  }

  #current(): readonly UploadFile[] {
    this.#flush();
    return this.#files;
  }

  #update(key: string, change: Partial<UploadFile>, now = false) {
    this.#pending.set(key, { ...this.#pending.get(key), ...change });
    if (now) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), NOTIFY_MS);
  }

  #flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.size === 0) return;
    const pending = this.#pending;
    this.#pending = new Map();
    this.#replace(
      this.#files.map((file) => {
        const change = pending.get(file.key);
        return change ? { ...file, ...change } : file;
      }),
    );
  }

  #replace(files: readonly UploadFile[]) {
    this.#files = files;
    for (const listener of this.#listeners) listener();
  }
}

const UNREADABLE: { code: ErrorCode | null; problem: string } = {
  code: null,
  problem: 'The file could not be read. Check that it is still there and that you may open it.',
};

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** The path within a dropped or chosen folder: react-dropzone and browsers each name it in their own way. */
function pathOf(file: File): string {
  const dropped = 'relativePath' in file && typeof file.relativePath === 'string' ? file.relativePath : '';
  return (dropped || file.webkitRelativePath || file.name).replace(/^\.?\//, '');
}
