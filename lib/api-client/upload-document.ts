import type { UploadAnswer } from '@/lib/contract/api';
import { ApiError, apiErrorFrom } from './api-error';

export interface Upload {
  readonly extractionId: string;
  readonly file: File;
  /** Fixed per file, so that a retry after a lost answer does not make a second document. */
  readonly idempotencyKey: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

/**
 * Sends one file; `rejected` in the answer says when it was turned away. XMLHttpRequest, because `fetch` reports no
 * upload progress. Throws {@link ApiError}, or the signal's reason.
 */
export function uploadDocument(upload: Upload): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', `/api/v1/extractions/${upload.extractionId}/documents`);
    request.responseType = 'json';
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('idempotency-key', upload.idempotencyKey);
    request.upload.onprogress = (event) => upload.onProgress?.(event.loaded, event.total);
    request.onloadend = () => upload.signal?.removeEventListener('abort', abort);
    request.onload = () => {
      const body: unknown = request.response;
      if (request.status >= 200 && request.status < 300) resolve(body as UploadAnswer);
      else reject(apiErrorFrom(request.status, body));
    };
    request.onerror = () =>
      reject(new ApiError(0, 'unreachable', 'The connection broke while sending. Try again.'));
    request.onabort = () => reject(upload.signal?.reason ?? new DOMException('Aborted', 'AbortError'));
    if (upload.signal?.aborted) {
      reject(upload.signal.reason);
      return;
    }
    upload.signal?.addEventListener('abort', abort, { once: true });
    const form = new FormData();
    form.append('files', upload.file, upload.file.name);
    request.send(form);
  });
}
