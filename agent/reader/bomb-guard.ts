import { inflateSync } from 'node:zlib';
import { ReadError } from './read-error';

/** One stream that is no image may inflate to this many bytes. The largest page content seen in the wild is ~20 MB. */
const MAX_STREAM_BYTES = 96 * 1024 * 1024;
/** All streams that are no images together: 2,000 dense pages with fonts stay far below. */
const MAX_TOTAL_BYTES = 768 * 1024 * 1024;
/** Deflate shrinks at most to 1/1032, so shorter streams cannot matter alone. */
const MIN_SUSPECT_BYTES = 2 * 1024;
/** How often a stream may be compressed on top of itself before it is refused. */
const MAX_NESTING = 3;

/**
 * Inflates the streams of a file with a ceiling, before a parser does so without one: pdf.js holds a decoded stream
 * whole, and 100 kB that were compressed twice can take gigabytes.
 * @throws ReadError `resource_limit`
 */
export function checkStreams(bytes: Buffer): void {
  let total = 0;
  for (const stream of streams(bytes)) {
    // Images are not unpacked for their text, and drawing them is bounded elsewhere.
    if (stream.isImage || (stream.data.length < MIN_SUSPECT_BYTES && !stream.nested)) continue;
    total += inflatedSize(stream.data, MAX_STREAM_BYTES, 1);
    if (total > MAX_TOTAL_BYTES) throw tooMuch();
  }
}

interface RawStream {
  readonly data: Buffer;
  readonly isImage: boolean;
  readonly nested: boolean;
}

/** Everything between `stream` and `endstream`; streams cannot hide inside compressed objects. */
function* streams(bytes: Buffer): Generator<RawStream> {
  let at = bytes.indexOf('stream');
  while (at !== -1) {
    let start = at + 'stream'.length;
    if (bytes[start] === 0x0d) start += 1;
    if (bytes[start] === 0x0a) start += 1;
    const end = bytes.indexOf('endstream', start);
    const stop = end === -1 ? bytes.length : end;
    if (looksDeflated(bytes, start)) {
      const dictionary = bytes.subarray(Math.max(0, at - 1024), at).toString('latin1');
      const own = dictionary.slice(Math.max(0, dictionary.lastIndexOf(' obj')));
      yield {
        data: bytes.subarray(start, stop),
        isImage: /\/Subtype\s*\/Image\b/.test(own),
        nested: (own.match(/Decode\b|\/Fl\b/g)?.length ?? 0) > 1,
      };
    }
    at = end === -1 ? -1 : bytes.indexOf('stream', end + 'endstream'.length);
  }
}

/** A zlib header: deflate method and a check sum that fits. */
function looksDeflated(bytes: Buffer, at: number): boolean {
  const first = bytes[at];
  const second = bytes[at + 1];
  if (first === undefined || second === undefined) return false;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

function inflatedSize(data: Buffer, limit: number, depth: number): number {
  let inflated: Buffer;
  try {
    inflated = inflateSync(data, { maxOutputLength: limit, finishFlush: 2 });
  } catch (error) {
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooMuch();
    // Broken or not deflated after all: the parser will say.
    return 0;
  }
  if (!looksDeflated(inflated, 0)) return inflated.length;
  if (depth >= MAX_NESTING) throw tooMuch();
  return inflated.length + inflatedSize(inflated, limit, depth + 1);
}

function tooMuch(): ReadError {
  return new ReadError(
    'resource_limit',
    'The PDF unpacks to far more data than a document needs. Print it to a new PDF and upload that.',
  );
}
