import 'server-only';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '@/lib/errors';
import { answerCallback, MAX_CALLBACK_REQUEST_BYTES } from './answer-callback';
import { appRuntime } from './app-runtime';
import { writeProblem } from './write-problem';

/**
 * Answers `POST /api/v1/callbacks` past the framework: they come by the thousand, and its routing and its copies of
 * each request cost several times what a callback itself does (docs/decisions/0011). The answers are those of the
 * route, by the same code.
 */
export async function passCallback(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = randomUUID();
  try {
    const rawBody = await readBody(request);
    const header = (name: string) => request.headers[name]?.toString() ?? null;
    const headers = {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    };
    const answered = await answerCallback(await appRuntime(), { headers, rawBody, requestId });
    if ('answer' in answered) {
      write(response, requestId, 200, 'application/json', JSON.stringify(answered.answer));
    } else {
      const { problem } = answered;
      write(response, requestId, problem.status, 'application/problem+json', JSON.stringify(problem));
    }
  } catch (error) {
    await refuse(request, response, requestId, error);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const tooLarge = () =>
    new DomainError('payload_too_large', `The body is over ${MAX_CALLBACK_REQUEST_BYTES} bytes.`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size <= MAX_CALLBACK_REQUEST_BYTES) chunks.push(chunk);
    // Too much is read to its end, and not kept: an answer amid the upload would often be lost with the connection.
    else if (size > 4 * MAX_CALLBACK_REQUEST_BYTES) break;
  }
  if (size > MAX_CALLBACK_REQUEST_BYTES) throw tooLarge();
  return new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  error: unknown,
): Promise<void> {
  // A sender who has gone reads no answer, and nothing is wrong on our side.
  if (request.destroyed && !request.complete) return;
  // What is left of the body is not read, so the connection can't be used again.
  if (!request.complete) response.setHeader('connection', 'close');
  await writeProblem(request, response, requestId, error);
}

function write(
  response: ServerResponse,
  requestId: string,
  status: number,
  contentType: string,
  body: string,
): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  });
  response.end(body);
}
