import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { requireGrant } from './identities';
import { invalid, missing } from './refusal';
import { answer, type Call, type Env, readBody } from './requests';

/**
 * Traces in an experiment's own storage as Databricks keeps them: the trace's totals by `POST /api/3.0/mlflow/traces`, the
 * spans to a signed address (mlflow `store/tracking/databricks_rest_store.py`, `protos/service.proto`). What the sender does not
 * add up nobody does there (mlflow issue 22105). OTLP is not taken by this storage
 * [https://docs.databricks.com/aws/en/mlflow3/genai/tracing/trace-unity-catalog].
 */
export interface Traces {
  readonly routes: Hono<Env>;
  /** The store behind signed addresses: no token of the workspace belongs there. */
  readonly store: Hono;
  readonly infos: ReadonlyMap<string, TraceInfo>;
  readonly spans: ReadonlyMap<string, string>;
}

const TraceInfo = z.strictObject({
  trace_id: z.string().regex(/^tr-[0-9a-f]{32}$/),
  client_request_id: z.string().max(50).optional(),
  trace_location: z.strictObject({
    type: z.literal('MLFLOW_EXPERIMENT'),
    mlflow_experiment: z.strictObject({ experiment_id: z.string() }),
  }),
  request_time: z.iso.datetime(),
  execution_duration: z
    .string()
    .regex(/^\d+(\.\d+)?s$/)
    .optional(),
  // One without a state is refused (mlflow issue 19217).
  state: z.enum(['IN_PROGRESS', 'OK', 'ERROR']),
  request_preview: z.string().max(10_000).optional(),
  response_preview: z.string().max(10_000).optional(),
  trace_metadata: z.record(z.string().max(250), z.string().max(250)).optional(),
  tags: z.record(z.string().max(250), z.string().max(4096)).optional(),
});
export type TraceInfo = z.infer<typeof TraceInfo>;

const Counts = z.record(z.string(), z.number().nonnegative());

export function createTraces(experimentId: string, host: () => string): Traces {
  const infos = new Map<string, TraceInfo>();
  const spans = new Map<string, string>();
  const uploads = new Map<string, string>();
  const routes = new Hono<Env>();
  const mayEdit = (c: Call) =>
    requireGrant(c.get('token'), 'experiment:CAN_EDIT', 'mlflow', `experiment ${experimentId}`);
  const find = (id: string) => {
    const info = infos.get(id);
    if (!info) throw missing(`Trace with ID '${id}' not found.`);
    return info;
  };

  routes.post('/api/3.0/mlflow/traces', async (c) => {
    mayEdit(c);
    const Body = z.strictObject({ trace: z.strictObject({ trace_info: TraceInfo }) });
    const { trace_info } = (await readBody(c, Body)).trace;
    if (trace_info.trace_location.mlflow_experiment.experiment_id !== experimentId) {
      throw missing('The experiment does not exist.');
    }
    checkTotals(trace_info);
    infos.set(trace_info.trace_id, trace_info);
    return answer({ trace: { trace_info } });
  });
  routes.get('/api/3.0/mlflow/traces/:id', (c) => {
    mayEdit(c);
    return answer({ trace: { trace_info: find(c.req.param('id')) } });
  });
  routes.patch('/api/3.0/mlflow/traces/:id/tags', async (c) => {
    mayEdit(c);
    const { key, value } = await readBody(
      c,
      z.strictObject({ key: z.string().max(250), value: z.string().max(8000) }),
    );
    const info = find(c.req.param('id'));
    infos.set(info.trace_id, { ...info, tags: { ...info.tags, [key]: value } });
    return answer({});
  });
  routes.get('/api/2.0/mlflow/traces/:id/credentials-for-data-upload', (c) => {
    mayEdit(c);
    const { trace_id } = find(c.req.param('id'));
    const signature = randomUUID();
    uploads.set(signature, trace_id);
    const signed_uri = `${host()}/__store/traces/${trace_id}?X-Amz-Signature=${signature}`;
    return answer({ credential_info: { type: 'AWS_PRESIGNED_URL', signed_uri, headers: [] } });
  });
  routes.get('/api/2.0/mlflow/experiments/get', (c) => {
    mayEdit(c);
    if (c.req.query('experiment_id') !== experimentId) throw missing('The experiment does not exist.');
    return answer({
      experiment: { experiment_id: experimentId, name: '/Users/app/tickmark', lifecycle_stage: 'active' },
    });
  });

  const store = new Hono();
  store.put('/__store/traces/:id', async (c) => {
    const id = uploads.get(c.req.query('X-Amz-Signature') ?? '');
    if (id !== c.req.param('id')) return c.text('SignatureDoesNotMatch', 403);
    // A cloud's store refuses a request that is authorised twice, and our token is not its to see.
    if (c.req.header('authorization')) return c.text('Only one auth mechanism allowed', 400);
    spans.set(id, await c.req.text());
    return c.body(null, 200);
  });
  return { routes, store, infos, spans };
}

/** Totals are JSON in a text; what is not is kept by nobody. */
function checkTotals({ trace_metadata = {} }: TraceInfo): void {
  for (const key of ['mlflow.trace.tokenUsage', 'mlflow.trace.cost']) {
    const text = trace_metadata[key];
    if (text === undefined) continue;
    try {
      Counts.parse(JSON.parse(text));
    } catch {
      throw invalid(`${key} is not a JSON object of numbers.`);
    }
  }
}
