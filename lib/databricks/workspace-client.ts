import type { Readable } from 'node:stream';
import type { Logger } from '@/lib/log';
import { createAccessTokens } from './access-token';
import { type CallClock, realClock } from './call-clock';
import { parseExactJson, writeExactJson } from './exact-json';
import { createRateLimits, type RateFamily } from './rate-limits';
import {
  type Answer,
  callName,
  createConnections,
  readText,
  requireSuccess,
  type Sending,
  sendOver,
} from './send';
import { tryAgain } from './try-again';
import { parseRetryAfter, WorkspaceError } from './workspace-error';
import { workspaceOrigin } from './workspace-origin';

export interface WorkspaceClientOptions {
  /** DATABRICKS_HOST, with or without `https://`. Plain http only for loopback hosts. */
  readonly host: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
  readonly clock?: CallClock;
}

export interface WorkspaceRequest {
  readonly method: Sending['method'];
  /** Begins with `/`; its parts are encoded by the caller. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON; a `bigint` becomes a number with all its digits. */
  readonly json?: unknown;
  /** Sent as bytes; opened anew for each try. */
  readonly content?: { readonly sizeBytes: number; open(): Readable };
  readonly headers?: Readonly<Record<string, string>>;
  /** True where making the call twice does no harm: only then is it made again when its outcome is unknown. */
  readonly idempotent: boolean;
  /** Calls that share a limit of the workspace. */
  readonly family?: RateFamily;
  /** Of each try, in milliseconds. Default 30 s. With {@link WorkspaceClient.stream}: until the answer begins. */
  readonly timeoutMs?: number;
  /** How long it may be tried again, in milliseconds; 0 = one try. Default 30 s. */
  readonly retryForMs?: number;
  readonly signal?: AbortSignal;
}

/** An answer whose body has not been read yet. Whoever gets it reads or destroys the body. */
export interface StreamedAnswer {
  readonly status: number;
  /** @param name in lower case */
  header(name: string): string | undefined;
  readonly body: Readable;
}

/** Calls to one workspace as one service principal. All throw {@link WorkspaceError} for anything but a 2xx. */
export interface WorkspaceClient {
  /** Such as `https://adb-123.4.azuredatabricks.net`. */
  readonly origin: string;
  /** The answer's JSON, with numbers beyond 2^53 as strings; undefined for an empty body. */
  json(request: WorkspaceRequest): Promise<unknown>;
  stream(request: WorkspaceRequest): Promise<StreamedAnswer>;
  /** A bearer token for this workspace, good for at least a few seconds more. */
  token(): Promise<string>;
  /** Ends its connections; calls that are under way fail. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const RETRY_FOR_MS = 30_000;

/** Composes a client. Throws `TypeError` for a host that can't be used. */
export function createWorkspaceClient(options: WorkspaceClientOptions): WorkspaceClient {
  const { log, clientId, clientSecret, clock = realClock } = options;
  const origin = workspaceOrigin(options.host);
  const connections = createConnections();
  const send = sendOver(connections);
  const tokens = createAccessTokens({ origin, clientId, clientSecret, send, clock, log });
  const limits = createRateLimits(clock);

  /** One try; a token that is refused is replaced once. */
  const sendAuthorised = async (request: WorkspaceRequest): Promise<{ sending: Sending; answer: Answer }> => {
    for (let renewed = false; ; renewed = true) {
      const token = await tokens.current();
      const sending = sendingOf(origin, request, token);
      const answer = await send(sending);
      if (answer.status !== 401 || renewed) return { sending, answer };
      await answer.body.dump();
      tokens.drop(token);
    }
  };

  const perform = <T>(
    request: WorkspaceRequest,
    read: (sending: Sending, answer: Answer) => Promise<T>,
  ): Promise<T> => {
    const forMs = request.retryForMs ?? RETRY_FOR_MS;
    return tryAgain(
      async () => {
        await limits.turn(request.family, { maxWaitMs: forMs, signal: request.signal });
        const { sending, answer } = await sendAuthorised(request);
        if (answer.status === 429) limits.hold(request.family, holdSeconds(answer));
        await requireSuccess(sending, answer);
        return read(sending, answer);
      },
      {
        clock,
        idempotent: request.idempotent,
        forMs,
        signal: request.signal,
        onWait: (err, waitMs) => log.debug({ err, waitMs }, 'databricks.trying_again'),
      },
    );
  };

  return {
    origin,
    json: (request) => perform(request, readJson),
    stream: (request) => perform(request, async (_, { status, header, body }) => ({ status, header, body })),
    token: () => tokens.current(),
    close: () => connections.destroy(),
  };
}

function sendingOf(origin: string, request: WorkspaceRequest, token: string): Sending {
  const { json, content } = request;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return {
    origin,
    method: request.method,
    target: query.size > 0 ? `${request.path}?${query}` : request.path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(content && {
        'content-type': 'application/octet-stream',
        'content-length': String(content.sizeBytes),
      }),
      ...request.headers,
    },
    body: json === undefined ? content?.open() : writeExactJson(json),
    timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
    signal: request.signal,
  };
}

function holdSeconds(answer: Answer): number {
  return parseRetryAfter(answer.header('retry-after')) ?? 1;
}

async function readJson(sending: Sending, answer: Answer): Promise<unknown> {
  const text = await readText(sending, answer);
  if (text.trim() === '') return undefined;
  try {
    return parseExactJson(text);
  } catch (cause) {
    const isPage = /^\s*</.test(text);
    throw new WorkspaceError(
      isPage
        ? `${callName(sending)}: a page came instead of an answer; is DATABRICKS_HOST (${sending.origin}) the address of a workspace?`
        : `${callName(sending)}: the answer is not JSON`,
      { status: answer.status, retryable: !isPage },
      { cause },
    );
  }
}
