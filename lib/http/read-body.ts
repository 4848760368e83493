import 'server-only';
import { DomainError } from '@/lib/errors';

/** No JSON request of ours comes near this. */
const MAX_JSON_BYTES = 1024 * 1024;

/**
 * Reads a body as text, and no more of it than allowed. Throws `payload_too_large`.
 * Bytes that are not UTF-8 become U+FFFD.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = () => new DomainError('payload_too_large', `The body is over ${maxBytes} bytes.`);
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > maxBytes) throw tooLarge();
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Reads a JSON body. Throws `unsupported_media_type`, `bad_request` or `payload_too_large`. */
export async function readJson(request: Request): Promise<unknown> {
  if (!isJson(request.headers)) {
    throw new DomainError('unsupported_media_type', 'Send JSON with content-type application/json.');
  }
  const text = await readText(request, MAX_JSON_BYTES);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError('bad_request', 'The body is not JSON.', { cause });
  }
}

function isJson(headers: Headers): boolean {
  return /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(headers.get('content-type') ?? '');
}
