import 'server-only';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { DomainError } from '@/lib/errors';

/** One request carries so many files at most; a browser sends them one by one, a script may send many. */
const MAX_FILES = 2_000;

/** The part that is a file by its name: without a file name it reads as a text, and would be lost without a word. */
const FILES_PART = 'files';

export interface MultipartHandler {
  /** Called once, with all fields, before the first file (or at the end of a body without files). */
  onFields(fields: Readonly<Record<string, string>>): Promise<void>;
  /** Called for one file after the other. It may stop reading; the rest of the file is then skipped. */
  onFile(filename: string, bytes: Readable): Promise<void>;
}

/**
 * Streams a multipart body: fields first, then files, none of it held whole in memory. Throws
 * `unsupported_media_type`, `bad_request` or what the handler throws; an aborted request ends the file in hand with an
 * error, so that a store leaves nothing behind.
 */
export async function readMultipart(request: Request, handler: MultipartHandler): Promise<void> {
  const parser = createParser(request.headers);
  const fields: Record<string, string> = Object.create(null);
  let filesSeen = 0;
  let failure: unknown;
  let inHand: PassThrough | undefined;
  let work: Promise<void> = Promise.resolve();

  const fail = (error: unknown) => {
    failure ??= error;
    parser.destroy();
    inHand?.destroy(asError(failure));
  };
  const enqueue = (step: () => Promise<void>) => {
    work = work.then(() => (failure ? undefined : step())).catch(fail);
  };

  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (name === FILES_PART)
      fail(badRequest(`A part "${name}" has no file name: send it with filename="…".`));
    else if (filesSeen > 0) fail(badRequest(`Fields must come before the files: "${name}" came after one.`));
    else if (nameTruncated || valueTruncated) fail(badRequest(`The field "${name}" is too long.`));
    else fields[name ?? ''] = value;
  });
  parser.on('file', (_field, stream, filename) => {
    filesSeen += 1;
    stream.on('error', (error) => fail(broken(error)));
    if (filesSeen === 1) enqueue(() => handler.onFields(fields));
    enqueue(async () => {
      inHand = new PassThrough();
      await handOver(stream, inHand, decodeFilename(filename), handler);
      inHand = undefined;
    });
  });
  parser.on('filesLimit', () => fail(tooMany()));
  parser.on('fieldsLimit', () => fail(badRequest('Too many fields.')));

  const source = request.body
    ? Readable.fromWeb(request.body as unknown as NodeWebStream<Uint8Array>)
    : Readable.from([]);
  await pipeline(source, parser, { signal: request.signal }).catch((error) => fail(broken(error)));
  await work;
  if (failure) throw failure;
  if (filesSeen === 0) await handler.onFields(fields);
}

function createParser(headers: Headers) {
  const contentType = headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new DomainError('unsupported_media_type', 'Send the files as multipart/form-data.');
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      limits: { files: MAX_FILES, fields: 50, fieldNameSize: 100, fieldSize: 10_000, headerPairs: 50 },
    });
  } catch (cause) {
    throw badRequest('The content-type names no usable boundary.', cause);
  }
}

/**
 * Gives the handler a stream of its own: when it stops half-way, the parser's stream must still be read to its end,
 * or the files behind it would never come. (`pipe`, not `pipeline`, which would destroy the parser's stream with it.)
 */
async function handOver(
  stream: BusboyFileStream,
  bytes: PassThrough,
  filename: string,
  handler: MultipartHandler,
): Promise<void> {
  // Whoever reads it sees the error as well; without a listener of our own it would end the process.
  bytes.on('error', () => undefined);
  stream.pipe(bytes);
  try {
    await handler.onFile(filename, bytes);
  } finally {
    stream.unpipe(bytes);
    stream.resume();
  }
}

/** Browsers write a quotation mark and line breaks of a file name as %22, %0D and %0A, and nothing else. */
function decodeFilename(sent: string | undefined): string {
  return (sent ?? '').replaceAll('%22', '"').replaceAll(/%0[AD]/gi, ' ');
}

function broken(cause: unknown): DomainError {
  return badRequest('The multipart body is broken or incomplete.', cause);
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value));
}

function badRequest(message: string, cause?: unknown): DomainError {
  return new DomainError('bad_request', message, { cause });
}

function tooMany(): DomainError {
  return new DomainError(
    'payload_too_large',
    `One request may carry ${MAX_FILES} files at most. Send several.`,
  );
}
