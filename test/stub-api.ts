import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { ExtractionCreated, TaskDetail } from '@/lib/contract/api';

/** A stand-in for the app that knows the routes which `npm run extract` uses. Files named `bad…` fail, `empty…` are rejected. */
export interface StubApi {
  readonly url: string;
  /** `METHOD path idempotency-key` of each request. */
  readonly requests: readonly string[];
  /** The next uploads meet a database that is away. */
  refuseUploads(times: number): void;
  close(): void;
}

interface State {
  readonly token: string;
  readonly tasks: Map<string, { filename: string; status: string }>;
  readonly requests: string[];
  refused: number;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export async function startStubApi(token: string): Promise<StubApi> {
  const state: State = { token, tasks: new Map(), requests: [], refused: 0 };
  const server = createServer((request, response) => {
    void answer(state, request)
      // What the contract has and the stub lacks is told, not sent.
      .catch((error) => problem(500, 'internal', String(error)))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    requests: state.requests,
    refuseUploads: (times) => {
      state.refused = times;
    },
    close: () => server.close(),
  };
}

const at = '2026-01-01T00:00:00.000Z';
const nothing = { client: null, documentId: null, sizeBytes: 1, pageCount: 2, priority: 50, attemptCount: 1 };

function taskItem(state: State, id: string) {
  const { filename = '', status = 'completed' } = state.tasks.get(id) ?? {};
  const failed = status === 'failed';
  return {
    ...{ id, ...nothing, extractionId: 'e1', extractionName: 'n', filename, agent: 'auto', status },
    ...{
      confidence: failed ? null : 0.9,
      errorCode: failed ? 'corrupt_pdf' : null,
      errorMessage: failed ? 'Damaged' : null,
    },
    ...{ progress: null, inputTokens: 10, outputTokens: 2, llmCostUsd: '0.0000018', computeCostUsd: null },
    ...{ responseSeconds: 1, cancelRequestedAt: null, createdAt: at, finishedAt: at },
  };
}

function taskDetail(state: State, id: string) {
  const field = { name: 'grand_total', value: '12.50', confidence: 0.9, page: 1, box: null };
  return {
    ...taskItem(state, id),
    ...{
      availableAt: at,
      leaseExpiresAt: null,
      lockedBy: null,
      maxAttempts: 3,
      estimatedTokens: 1,
      estimatedSeconds: 1,
    },
    ...{ sha256: null, whyNotRunning: null, attempts: [], events: [] },
    ...{ foundNothing: false, resultShape: 'fields' },
    result:
      state.tasks.get(id)?.status === 'failed'
        ? null
        : { documentType: 'invoice', confidence: 0.9, warnings: [], fields: [field] },
  };
}

async function answer(state: State, request: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('latin1');
  const { pathname } = new URL(request.url ?? '', 'http://stub');
  state.requests.push(`${request.method} ${pathname} ${request.headers['idempotency-key'] ?? ''}`);
  if (request.headers.authorization !== `Bearer ${state.token}`)
    return problem(401, 'unauthenticated', 'who?');
  if (pathname === '/api/v1/extractions') {
    if (text.includes('no-such-agent')) return problem(404, 'not_found', 'There is no agent no-such-agent.');
    const counts = { enqueued: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 };
    const money = { llmCostUsd: null, computeCostUsd: null, eta: { low: null, high: null } };
    const who = {
      id: 'e1',
      client: null,
      name: 'n',
      agent: 'auto',
      priority: 50,
      submittedBy: 'x',
      createdAt: at,
    };
    return {
      status: 201,
      body: ExtractionCreated.parse({
        extraction: { ...who, firstFile: null, counts, progress: 0, ...money },
        tasks: [],
        rejected: [],
      }),
    };
  }
  if (pathname.endsWith('/documents')) return upload(state, text);
  if (pathname === '/api/v1/tasks') {
    return {
      status: 200,
      body: { tasks: [...state.tasks.keys()].map((id) => taskItem(state, id)), nextCursor: null },
    };
  }
  return { status: 200, body: TaskDetail.parse(taskDetail(state, pathname.split('/').at(-1) ?? '')) };
}

function upload(state: State, text: string): Answer {
  if (state.refused > 0) {
    state.refused -= 1;
    return problem(503, 'unavailable', 'The database is away.');
  }
  const filename = /filename="([^"]*)"/.exec(text)?.[1] ?? '';
  if (filename.startsWith('empty')) {
    const rejected = [{ filename, code: 'empty_file', reason: 'The file has no content.' }];
    return { status: 201, body: { tasks: [], rejected } };
  }
  const id = `t${state.tasks.size + 1}`;
  state.tasks.set(id, { filename, status: filename.startsWith('bad') ? 'failed' : 'completed' });
  return {
    status: 201,
    body: { tasks: [{ id, documentId: 'd', filename, status: 'enqueued' }], rejected: [] },
  };
}

function problem(status: number, code: string, detail: string): Answer {
  return { status, body: { type: 'about:blank', title: code, status, detail, code, requestId: 'r' } };
}
