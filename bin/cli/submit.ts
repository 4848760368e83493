import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import pRetry, { AbortError } from 'p-retry';
import { ExtractionCreated, UploadAnswer } from '@/lib/contract/api';
import { ERROR_CODES } from '@/lib/contract/error-codes';
import { type Api, ApiRefusal, callApi } from './api';
import type { InputFile } from './files';

const AT_ONCE = 4;
const RETRIES = 4;
/** The mark of a PDF stands within these, as readers take it. */
const HEAD_BYTES = 1024;

/** What became of one file: a task, or words on why there is none. */
export type Submitted =
  | { readonly file: InputFile; readonly taskId: string }
  | { readonly file: InputFile; readonly taskId: null; readonly code: string; readonly message: string };

export interface NewExtraction {
  readonly agent: string;
  readonly client?: string;
  readonly name?: string;
  readonly priority?: number;
}

/** Makes the extraction; resolves to its id. */
export async function createExtraction(api: Api, fields: NewExtraction): Promise<string> {
  const created = await callApi(api, '/api/v1/extractions', ExtractionCreated, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(fields),
  });
  return created.extraction.id;
}

/** Uploads files, a few at once; a file that can't be uploaded does not hold up the others. */
export async function uploadFiles(
  api: Api,
  extractionId: string,
  files: readonly InputFile[],
  onDone: () => void,
): Promise<Submitted[]> {
  const limit = pLimit(AT_ONCE);
  return Promise.all(
    files.map((file) =>
      limit(async () => {
        const submitted = await uploadOne(api, extractionId, file);
        onDone();
        return submitted;
      }),
    ),
  );
}

async function uploadOne(api: Api, extractionId: string, file: InputFile): Promise<Submitted> {
  try {
    if (await isSurelyNoPdf(file.path)) {
      return { file, taskId: null, code: 'not_a_pdf', message: ERROR_CODES.not_a_pdf.advice };
    }
    const { tasks, rejected } = await sendWithRetry(api, extractionId, file);
    const task = tasks[0];
    if (task) return { file, taskId: task.id };
    const reason = rejected[0];
    return {
      file,
      taskId: null,
      code: reason?.code ?? 'internal',
      message: reason?.reason ?? 'no task was made',
    };
  } catch (error) {
    const code = error instanceof ApiRefusal ? error.code : 'internal';
    return { file, taskId: null, code, message: (error as Error).message };
  }
}

/**
 * What the upload page doesn't send either. A file that calls itself .pdf is always sent: the inspection says what is
 * wrong with it, and then it is on record; an empty one the server refuses.
 */
async function isSurelyNoPdf(file: string): Promise<boolean> {
  if (/\.pdf$/i.test(file)) return false;
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return bytesRead > 0 && !buffer.subarray(0, bytesRead).includes('%PDF-');
  } finally {
    await handle.close();
  }
}

function sendWithRetry(api: Api, extractionId: string, file: InputFile): Promise<UploadAnswer> {
  // One key for all tries: an upload whose answer was lost is not made twice.
  const key = randomUUID();
  const send = async () => {
    const form = new FormData();
    form.append('files', await openAsBlob(file.path), path.basename(file.path));
    const route = `/api/v1/extractions/${extractionId}/documents`;
    try {
      const init = { method: 'POST', body: form, headers: { 'idempotency-key': key } };
      return await callApi(api, route, UploadAnswer, init);
    } catch (error) {
      const final = error instanceof ApiRefusal && error.status < 500 && error.status !== 429;
      throw final ? new AbortError(error) : error;
    }
  };
  return pRetry(send, { retries: RETRIES, minTimeout: 500, shouldRetry: ({ error }) => !isLocal(error) });
}

/** The file itself can't be read: asking the server again changes nothing. */
function isLocal(error: Error): boolean {
  return ['ENOENT', 'EACCES', 'EISDIR', 'ERR_INVALID_ARG_VALUE'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}
