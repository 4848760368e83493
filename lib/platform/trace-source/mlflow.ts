import { z } from 'zod';
import { type TraceReading, type TraceSource, TraceSourceUnavailable, TraceUnreadable } from './port';
import { readSpans } from './span-json';
import { attemptsNamed, expectedCalls, sumManyCalls } from './sum-calls';
import { totalsOf } from './trace-totals';

/** Where and as whom to ask. */
export interface MlflowEndpoint {
  /** Without a trailing slash. */
  readonly url: string;
  /** Asked before each request. */
  authorise(): Promise<Record<string, string>>;
}

/** Databricks keeps traces in an experiment's own storage, or in Unity Catalog, which a SQL warehouse reads. */
export type DatabricksTraces =
  | { readonly kind: 'experiment' }
  | { readonly kind: 'catalog'; readonly location: string; readonly warehouseId: string };

const REQUEST_MS = 15_000;
/** Reading that much takes the worker's only thread about half a second; a call with its spans has a kilobyte or two. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A trace of tens of thousands of calls; more than that is no trace of one document. */
const MAX_SPANS = 50_000;

const TraceInfo = z.object({
  state: z.string().default('STATE_UNSPECIFIED'),
  trace_metadata: z.record(z.string(), z.string()).catch({}).default({}),
});
const Trace = z.object({ trace_info: TraceInfo, spans: z.array(z.unknown()).default([]) });

/**
 * Traces of an open-source MLflow server, 3.11 or later: `GET /api/3.0/mlflow/traces/get` with `allow_partial`, so that a run
 * in flight is seen too (mlflow/protos/service.proto). Figures are summed from its spans: those that the server adds up are
 * doubled in versions before 3.15 when a batch was sent again.
 */
export function createMlflowSource(endpoint: MlflowEndpoint): TraceSource {
  return {
    name: 'mlflow',
    seesRunsInFlight: true,
    async read(traceId) {
      const query = new URLSearchParams({ trace_id: `tr-${traceId}`, allow_partial: 'true' });
      const answer = await ask(endpoint, `/api/3.0/mlflow/traces/get?${query}`);
      return answer === null ? ABSENT : fromSpans(parse(z.object({ trace: Trace }), answer).trace);
    },
  };
}

/**
 * Traces on Databricks. From an experiment's own storage the totals of `GET /api/3.0/mlflow/traces/{id}`, which the run wrote;
 * from Unity Catalog the spans of `GET /api/4.0/mlflow/traces/{location}/batchGet` (mlflow `databricks_rest_store`, 3.17).
 */
export function createDatabricksSource(endpoint: MlflowEndpoint, traces: DatabricksTraces): TraceSource {
  return {
    name: 'databricks',
    seesRunsInFlight: traces.kind === 'catalog',
    async read(traceId) {
      if (traces.kind === 'experiment') {
        const answer = await ask(endpoint, `/api/3.0/mlflow/traces/tr-${traceId}`);
        if (answer === null) return ABSENT;
        const { trace_info } = parse(z.object({ trace: z.object({ trace_info: TraceInfo }) }), answer).trace;
        const totals = totalsOf(trace_info.trace_metadata);
        return {
          kind: 'found',
          isEnded: isEnded(trace_info),
          calls: totals ? [totals] : [],
          expectedCalls: null,
          attemptIds: namedBy(trace_info.trace_metadata['tickmark.attempt_id']),
        };
      }
      const query = new URLSearchParams({ trace_ids: traceId, sql_warehouse_id: traces.warehouseId });
      const path = `/api/4.0/mlflow/traces/${encodeURIComponent(traces.location)}/batchGet?${query}`;
      const answer = await ask(endpoint, path);
      const [trace] =
        answer === null ? [] : parse(z.object({ traces: z.array(Trace).default([]) }), answer).traces;
      return trace ? fromSpans(trace) : ABSENT;
    },
  };
}

const ABSENT: TraceReading = { kind: 'absent' };

async function fromSpans(trace: z.output<typeof Trace>): Promise<TraceReading> {
  if (trace.spans.length > MAX_SPANS) {
    throw tooLarge(
      `it has ${trace.spans.length.toLocaleString('en')} spans, and at most ${MAX_SPANS} are read`,
    );
  }
  const spans = await readSpans(trace.spans);
  if (!spans) throw unknownForm();
  return {
    kind: 'found',
    isEnded: isEnded(trace.trace_info),
    calls: await sumManyCalls(spans),
    expectedCalls: expectedCalls(spans),
    attemptIds: attemptsNamed(spans),
  };
}

function namedBy(attemptId: string | undefined): string[] {
  return attemptId === undefined ? [] : [attemptId];
}

/** The root span decides; until it has arrived the state is IN_PROGRESS. */
function isEnded({ state }: { state: string }): boolean {
  return state === 'OK' || state === 'ERROR';
}

/** The JSON of an answer; null for one that is not there. */
async function ask({ url, authorise }: MlflowEndpoint, path: string): Promise<unknown> {
  const where = `The MLflow server at ${url}`;
  let response: Response;
  try {
    response = await fetch(`${url}${path}`, {
      headers: { accept: 'application/json', ...(await authorise()) },
      signal: AbortSignal.timeout(REQUEST_MS),
      redirect: 'error',
    });
  } catch (cause) {
    throw new TraceSourceUnavailable(`${where} could not be reached. Check MLFLOW_TRACKING_URI.`, { cause });
  }
  // It was reached: what breaks off, or comes too slowly, may be this trace's own size.
  const text = await readText(response).catch((cause: unknown) => {
    if (cause instanceof TraceUnreadable) throw cause;
    throw new TraceUnreadable(
      `The trace could not be read to its end: ${where} broke off or took too long.`,
      { cause },
    );
  });
  if (response.status === 404 && /RESOURCE_DOES_NOT_EXIST|NOT_FOUND/.test(text)) return null;
  if (response.status === 401 || response.status === 403) {
    throw new TraceSourceUnavailable(
      `${where} refused us (${response.status}). Check MLFLOW_TRACKING_TOKEN, or what the app may read there.`,
    );
  }
  if (
    response.status === 429 ||
    response.status === 502 ||
    response.status === 503 ||
    response.status === 504
  ) {
    throw new TraceSourceUnavailable(`${where} is not ready (${response.status}).`);
  }
  // Anything else may be this trace's own: one without spans in the database is a 500.
  if (!response.ok) {
    throw new TraceUnreadable(`${where} answered ${response.status} to ${path.replace(/\?.*/, '')}.`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    // One trace may hold what is no JSON, such as NaN; a page of a gateway is nobody's trace.
    if (/^\s*\{/.test(text)) throw unknownForm(cause);
    throw new TraceSourceUnavailable(`The answer of ${url} is not that of an MLflow server.`, { cause });
  }
}

/** @throws TraceUnreadable for more than {@link MAX_BYTES} of them, packed or not */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > MAX_BYTES) throw tooLarge(`it has more than ${MAX_BYTES / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(why: string): TraceUnreadable {
  return new TraceUnreadable(
    `The trace is too large: ${why}. The figures are those of the agent’s report. Let the agent record less per attempt.`,
    { isFinal: true },
  );
}

function parse<T extends z.ZodType>(schema: T, answer: unknown): z.output<T> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw unknownForm(parsed.error);
}

function unknownForm(cause?: unknown): TraceUnreadable {
  return new TraceUnreadable('The MLflow server gave a trace in a form that is not known here.', { cause });
}
