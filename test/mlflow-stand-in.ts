import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decodeSpans, type OtlpSpan } from './otlp';

/**
 * A strict stand-in for an MLflow server, for tests that must not need Python: `POST /v1/traces` and
 * `GET /api/3.0/mlflow/traces/get` as 3.17 answers them (tried against the real one by `npm run test:mlflow`). It refuses
 * what that refuses, and keeps spans by trace and span id, as that does.
 */
export interface MlflowStandIn {
  readonly url: string;
  /** By trace id, in the order of their arrival. */
  readonly traces: ReadonlyMap<string, ReadonlyMap<string, OtlpSpan>>;
  /** Each request as `METHOD path`, and how many spans it brought. */
  readonly requests: {
    readonly line: string;
    readonly spans: readonly OtlpSpan[];
    readonly headers: IncomingMessage['headers'];
  }[];
  /** What all requests are answered with instead; null = properly. `hang`: with nothing. */
  fault: { readonly status: number } | 'hang' | null;
  /** The header that is asked for. */
  authorization: string | null;
  /** Puts spans there, as if they had arrived. */
  put(span: Partial<OtlpSpan> & Pick<OtlpSpan, 'traceId' | 'spanId'>): void;
  /** Forgets a trace. */
  forget(traceId: string): void;
  close(): Promise<void>;
}

const EXPERIMENTS = new Set(['0', '7']);

export async function startMlflowStandIn(): Promise<MlflowStandIn> {
  const traces = new Map<string, Map<string, OtlpSpan>>();
  const keep = (span: OtlpSpan) => {
    const trace = traces.get(span.traceId) ?? new Map<string, OtlpSpan>();
    traces.set(span.traceId, trace.set(span.spanId, span));
  };
  const server: Server = createServer(async (request, response) => {
    const body = await buffer(request);
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    const line = `${request.method} ${request.url?.replace(/\?.*/, '')}`;
    const noted = { line, spans: [] as OtlpSpan[], headers: request.headers };
    standIn.requests.push(noted);
    if (standIn.fault === 'hang') return;
    if (standIn.fault) return answer(standIn.fault.status, { error_code: 'INTERNAL_ERROR' });
    if (standIn.authorization && request.headers.authorization !== standIn.authorization) {
      return answer(401, { error_code: 'UNAUTHENTICATED' });
    }
    if (line === 'POST /v1/traces') {
      const refused = refuse(request);
      if (refused) return answer(refused, { detail: 'refused' });
      noted.spans.push(...decodeSpans(body));
      if (noted.spans.length === 0) return answer(400, { detail: 'empty' });
      noted.spans.forEach(keep);
      response.writeHead(200, { 'content-type': 'application/x-protobuf' });
      return response.end();
    }
    if (line === 'GET /api/3.0/mlflow/traces/get') {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const trace = traces.get((query.get('trace_id') ?? '').replace(/^tr-/, ''));
      if (!trace) return answer(404, { error_code: 'RESOURCE_DOES_NOT_EXIST', message: 'not found' });
      return answer(200, { trace: traceJson([...trace.values()]) });
    }
    return answer(404, { error_code: 'ENDPOINT_NOT_FOUND' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: MlflowStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traces,
    requests: [],
    fault: null,
    authorization: null,
    put: (span) =>
      keep({
        parentSpanId: '',
        name: '',
        startNanos: '0',
        endNanos: '0',
        attributes: {},
        statusCode: 0,
        ...span,
      }),
    forget: (traceId) => {
      traces.delete(traceId);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

/** 422 without an experiment, 404 for an unknown one, 400 for a body that is no protobuf. */
function refuse({ headers }: IncomingMessage): number | null {
  const experiment = headers['x-mlflow-experiment-id'];
  if (typeof experiment !== 'string') return 422;
  if (!EXPERIMENTS.has(experiment)) return 404;
  return headers['content-type'] === 'application/x-protobuf' ? null : 400;
}

function traceJson(spans: readonly OtlpSpan[]) {
  const root = spans.find((span) => span.parentSpanId === '');
  return {
    trace_info: {
      trace_id: `tr-${spans[0]?.traceId}`,
      state: root ? (root.statusCode === 2 ? 'ERROR' : 'OK') : 'IN_PROGRESS',
      trace_metadata: {},
    },
    spans: spans.map((span) => ({
      span_id: base64(span.spanId),
      // Proto JSON leaves out what is empty.
      ...(span.parentSpanId ? { parent_span_id: base64(span.parentSpanId) } : {}),
      name: span.name,
      attributes: Object.entries(span.attributes).map(([key, value]) => ({
        key,
        value: anyValue(key, value),
      })),
    })),
  };
}

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

/** JSON texts of MLflow's own attributes come back as lists of keys and values. */
function anyValue(key: string, value: string | number | boolean): object {
  if (typeof value === 'string' && key.startsWith('mlflow.') && value.startsWith('{')) {
    const values = Object.entries(JSON.parse(value) as Record<string, number>).map(([name, number]) => ({
      key: name,
      value: Number.isInteger(number) ? { int_value: number } : { double_value: number },
    }));
    return { kvlist_value: { values } };
  }
  if (typeof value === 'number')
    return Number.isInteger(value) ? { int_value: value } : { double_value: value };
  return typeof value === 'boolean' ? { bool_value: value } : { string_value: value };
}
