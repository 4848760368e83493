import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { DeliverSpans } from './span-sender';

export interface OtlpEndpoint {
  readonly url: string;
  /** Asked before each request: tokens expire while a run goes on. */
  headers(): Promise<Record<string, string>>;
}

/** One request; the exporter's own retries end with it, ours come after. */
const REQUEST_MS = 5_000;

/**
 * Delivery by OTLP over HTTP, as protobuf: the one encoding that MLflow takes in every version that takes OTLP at all.
 * Endpoints: `POST /v1/traces` of an MLflow server with the header `x-mlflow-experiment-id` (mlflow.org/docs,
 * genai/tracing/opentelemetry/ingest); `POST /api/2.0/otel/v1/traces` of Databricks with `X-Databricks-UC-Table-Name`.
 */
export function deliverByOtlp({ url, headers }: OtlpEndpoint): DeliverSpans {
  // The exporter's contract is that its header factory never throws; a refusal comes as the server's answer then.
  const exporter = new OTLPTraceExporter({
    url,
    timeoutMillis: REQUEST_MS,
    concurrencyLimit: 1,
    headers: () => headers().catch(() => ({})),
  });
  return (spans) =>
    new Promise((resolve, reject) =>
      exporter.export([...spans], (result) => {
        if (result.code === 0) resolve();
        else reject(result.error ?? new Error(`${url} did not take the trace`));
      }),
    );
}
