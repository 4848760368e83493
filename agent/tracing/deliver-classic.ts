import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { RunInput } from '@/lib/contract/run-input';
import { storedSpan, traceInfo } from './classic-trace';
import type { DeliverSpans } from './span-sender';

const REQUEST_MS = 5_000;

/**
 * Delivery into a Databricks experiment's own storage, which takes no OTLP: `POST /api/3.0/mlflow/traces` with the trace's
 * totals, then the spans as `traces.json` to the signed address of `credentials-for-data-upload` (MLflow's
 * `databricks_rest_store` and `databricks_artifact_repo`, 3.17). A trace is written once, when it is whole: whether writing
 * over one is allowed there is not confirmed, so a run in flight shows nothing there yet.
 */
export function deliverClassic(
  base: string,
  experimentId: string,
  input: Pick<RunInput, 'taskId' | 'attemptId' | 'traceId'>,
  authorise: () => Promise<Record<string, string>>,
): DeliverSpans {
  const gathered = new Map<string, ReadableSpan>();
  return async (spans) => {
    for (const span of spans) gathered.set(span.spanContext().spanId, span);
    const all = [...gathered.values()];
    const root = all.find((span) => !span.parentSpanContext);
    if (!root) return;
    const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { ...(await authorise()), ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(REQUEST_MS),
        redirect: 'error',
      });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
      return response.json();
    };
    const info = traceInfo(root, all, experimentId, input);
    await call('POST', '/api/3.0/mlflow/traces', { trace: { trace_info: info } });
    const credentials = `/api/2.0/mlflow/traces/${info.trace_id}/credentials-for-data-upload`;
    await putSpans(await call('GET', credentials), JSON.stringify({ spans: all.map(storedSpan) }));
  };
}

interface Credentials {
  readonly credential_info?: {
    readonly signed_uri?: string;
    readonly type?: string;
    readonly headers?: readonly { readonly name: string; readonly value: string }[];
  };
}

/** One plain `PUT`; Azure Data Lake addresses, which need three requests, get none: the totals are there without. */
async function putSpans(answer: unknown, body: string): Promise<void> {
  const { signed_uri, type, headers = [] } = (answer as Credentials).credential_info ?? {};
  if (!signed_uri || type === 'AZURE_ADLS_GEN2_SAS_URI') return;
  const response = await fetch(signed_uri, {
    method: 'PUT',
    body,
    headers: {
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      ...(type === 'AZURE_SAS_URI' ? { 'x-ms-blob-type': 'BlockBlob' } : {}),
    },
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  // The address itself is a credential and stays out of messages.
  if (!response.ok) throw new Error(`the store of traces answered ${response.status}`);
}
