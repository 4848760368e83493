import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import packageJson from '@/package.json' with { type: 'json' };
import { errorOfAnswer, WorkspaceError } from './workspace-error';

/** A request as it goes over the wire. */
export interface Sending {
  readonly origin: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
  /** Milliseconds until the head of the answer is there. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Readable & { text(): Promise<string>; dump(): Promise<void> };
}

export type Send = (sending: Sending) => Promise<Answer>;

const CONNECT_MS = 10_000;
/** An answer of which nothing comes for so long is given up. */
const SILENT_MS = 60_000;
const USER_AGENT = `${packageJson.name}/${packageJson.version}`;
const MAX_ERROR_BYTES = 256 * 1024;

/** A connection pool that checks certificates whatever NODE_TLS_REJECT_UNAUTHORIZED says, and follows no redirect. */
export function createConnections(): Agent {
  return new Agent({
    connect: { rejectUnauthorized: true, timeout: CONNECT_MS },
    headersTimeout: 0,
    bodyTimeout: SILENT_MS,
  });
}

/** Sends a request as it is, once. Throws {@link WorkspaceError} without a status when there is no answer. */
export function sendOver(connections: Agent): Send {
  return async (sending) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), sending.timeoutMs);
    const call = callName(sending);
    try {
      const answer = await request(`${sending.origin}${sending.target}`, {
        dispatcher: connections,
        method: sending.method,
        headers: { 'user-agent': USER_AGENT, ...sending.headers },
        body: sending.body,
        signal: sending.signal ? AbortSignal.any([late.signal, sending.signal]) : late.signal,
      });
      return {
        status: answer.statusCode,
        header: (name) => [answer.headers[name]].flat()[0],
        body: answer.body,
      };
    } catch (cause) {
      sending.signal?.throwIfAborted();
      if (late.signal.aborted) {
        const words = `${call}: no answer within ${sending.timeoutMs / 1000} s`;
        throw new WorkspaceError(words, { status: null, retryable: true }, { cause });
      }
      throw noAnswer(call, sending.origin, cause);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** `POST /api/2.2/jobs/run-now`: without the query. */
export function callName({ method, target }: Pick<Sending, 'method' | 'target'>): string {
  return `${method} ${target.split('?', 1)[0]}`;
}

/** The whole body as text. A body that breaks off leaves the outcome unknown, as no answer does. */
export async function readText(sending: Sending, answer: Answer): Promise<string> {
  try {
    return await answer.body.text();
  } catch (cause) {
    sending.signal?.throwIfAborted();
    throw noAnswer(callName(sending), sending.origin, cause);
  }
}

/** Throws what an answer other than 2xx means. */
export async function requireSuccess(sending: Sending, answer: Answer): Promise<void> {
  if (answer.status >= 200 && answer.status < 300) return;
  throw errorOfAnswer(callName(sending), {
    status: answer.status,
    retryAfter: answer.header('retry-after'),
    contentType: answer.header('content-type'),
    text: await readSome(answer),
  });
}

/** The status is what counts: an error's body that breaks off is taken as far as it came. */
async function readSome({ body }: Answer): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece as Buffer);
      bytes += (piece as Buffer).length;
      if (bytes > MAX_ERROR_BYTES) break;
    }
  } catch {
    // Said enough.
  }
  return Buffer.concat(pieces).toString('utf8');
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_TLS/;

function noAnswer(call: string, origin: string, cause: unknown): WorkspaceError {
  const code = codeOf(cause);
  if (CERTIFICATE.test(code)) {
    return new WorkspaceError(
      `${call}: the certificate of ${origin} is not one that this machine trusts (${code}). Where your network uses a certificate authority of its own, set NODE_EXTRA_CA_CERTS to its file.`,
      { status: null, retryable: false },
      { cause },
    );
  }
  const why = code || (cause instanceof Error ? cause.message : String(cause));
  return new WorkspaceError(
    `${call}: no whole answer from ${origin} (${why})`,
    { status: null, retryable: true },
    { cause },
  );
}

function codeOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return '';
  return String(cause.code);
}
