import 'server-only';
import type { RejectedFile } from '@/lib/contract/api';
import { ERROR_CODES } from '@/lib/contract/error-codes';
import type { StoredFile } from '@/lib/documents/add-documents';
import { cleanFilename } from '@/lib/documents/filename';
import { DocumentRefused, type DocumentStore } from '@/lib/platform/document-store/port';
import { readMultipart } from './multipart';

export interface ReceivedFiles {
  readonly files: readonly StoredFile[];
  readonly rejected: readonly RejectedFile[];
}

/**
 * Streams the files of a multipart body into the store, one after the other. A file that is empty or too large is
 * rejected and the others go on. No row is written here: a request that breaks off has stored bytes at most, which the
 * same upload finds again by their hash.
 * @param onFields checks the fields before any file is read; what it throws ends the request
 */
export async function receiveFiles(
  request: Request,
  store: DocumentStore,
  maxBytes: number,
  onFields: (fields: Readonly<Record<string, string>>) => Promise<void>,
): Promise<ReceivedFiles> {
  const files: StoredFile[] = [];
  const rejected: RejectedFile[] = [];
  await readMultipart(request, {
    onFields,
    async onFile(sentName, bytes) {
      const filename = cleanFilename(sentName);
      try {
        files.push({ filename, stored: await store.put(bytes, { maxBytes }) });
      } catch (error) {
        if (!(error instanceof DocumentRefused)) throw error;
        rejected.push({ filename, code: error.code, reason: ERROR_CODES[error.code].advice });
      }
    },
  });
  return { files, rejected };
}

/** What was asked for, for an idempotency key: names and contents in their order. */
export function describeFiles({ files, rejected }: ReceivedFiles): unknown {
  return [
    ...files.map(({ filename, stored }) => [filename, stored.sha256]),
    ...rejected.map(({ filename, code }) => [filename, code]),
  ];
}
