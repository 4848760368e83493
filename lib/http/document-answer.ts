import 'server-only';
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { DocumentSource } from '@/lib/dashboard/document';
import { documentPath } from '@/lib/documents/run-input';
import { DomainError } from '@/lib/errors';
import type { Logger } from '@/lib/log';
import type { DocumentStore } from '@/lib/platform/document-store/port';
import { parseRange } from './byte-range';

/**
 * A document's bytes, whole or in part. They come from strangers: never sniffed, never run as part of our origin.
 * Throws `not_found` when the bytes are no longer there, and notes it for an operator.
 */
export async function documentAnswer(
  request: Request,
  document: DocumentSource,
  store: DocumentStore,
  log: Logger,
): Promise<Response> {
  const etag = `"${document.sha256}"`;
  const headers = documentHeaders(document, etag);
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  const range = parseRange(rangeHeader(request.headers, etag), document.sizeBytes);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${document.sizeBytes}`);
    return new Response(null, { status: 416, headers });
  }
  const part = range === 'whole' ? undefined : range;
  // An address of another kind, such as that of a made-up document, names nothing that is kept here.
  const isOurs = documentPath(store, document.storageUri) !== null;
  const opened = isOurs ? await store.open(document.storageUri, part) : null;
  if (!opened) {
    log.warn({ sha256: document.sha256, storageUri: document.storageUri }, 'document.missing');
    throw new DomainError('not_found', 'The file is no longer in the document store.');
  }
  if (part) headers.set('content-range', `bytes ${part.start}-${part.end}/${document.sizeBytes}`);
  // Next sends it in chunks and drops this one, so readers go by `content-range` and the size in the task's answer.
  headers.set('content-length', String(part ? part.end - part.start + 1 : document.sizeBytes));
  return new Response(toWeb(opened.bytes, request.signal), { status: part ? 206 : 200, headers });
}

/** A range that was asked for on condition of another version is not served in part. */
function rangeHeader(headers: Headers, etag: string): string | null {
  const condition = headers.get('if-range');
  return condition === null || condition === etag ? headers.get('range') : null;
}

function documentHeaders(document: DocumentSource, etag: string): Headers {
  const isPdf = document.filename.toLowerCase().endsWith('.pdf');
  return new Headers({
    'content-type': isPdf ? 'application/pdf' : 'application/octet-stream',
    'content-disposition': contentDisposition(document.filename, { type: isPdf ? 'inline' : 'attachment' }),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'accept-ranges': 'bytes',
    etag,
    // Kept by the reader's own browser only, and asked about again: access may have been withdrawn.
    'cache-control': 'private, no-cache, no-transform',
  });
}

/** Closes the file when the reader goes away, whichever side notices first. */
function toWeb(bytes: Readable, signal: AbortSignal): ReadableStream {
  const stop = () => bytes.destroy();
  signal.addEventListener('abort', stop, { once: true });
  bytes.once('close', () => signal.removeEventListener('abort', stop));
  return Readable.toWeb(bytes) as unknown as ReadableStream;
}
