import { type HrTime, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import Big from 'big.js';
import type { RunInput } from '@/lib/contract/run-input';

/** `TraceInfoV3` as JSON (mlflow/protos/service.proto). */
export interface ClassicTraceInfo {
  readonly trace_id: string;
  readonly trace_location: object;
  readonly request_time: string;
  readonly execution_duration: string;
  readonly state: 'OK' | 'ERROR';
  readonly trace_metadata: Record<string, string>;
  readonly tags: Record<string, string>;
}

/** A whole trace as Databricks wants it: totals are the sender's to add up. @param all the root among them */
export function traceInfo(
  root: ReadableSpan,
  all: readonly ReadableSpan[],
  experimentId: string,
  { taskId, attemptId, traceId }: Pick<RunInput, 'taskId' | 'attemptId' | 'traceId'>,
): ClassicTraceInfo {
  const startMs = millis(root.startTime);
  const usage = sumOf(all, 'mlflow.chat.tokenUsage');
  const cost = sumOf(all, 'mlflow.llm.cost');
  return {
    trace_id: `tr-${traceId}`,
    trace_location: { type: 'MLFLOW_EXPERIMENT', mlflow_experiment: { experiment_id: experimentId } },
    request_time: new Date(startMs).toISOString(),
    execution_duration: `${((millis(root.endTime) - startMs) / 1_000).toFixed(3)}s`,
    // Databricks refuses a trace whose state is unspecified.
    state: root.status.code === SpanStatusCode.ERROR ? 'ERROR' : 'OK',
    trace_metadata: {
      'mlflow.trace_schema.version': '3',
      'mlflow.trace.session': taskId,
      // Whose totals these are, for who reads no spans.
      'tickmark.attempt_id': attemptId,
      ...(usage ? { 'mlflow.trace.tokenUsage': usage } : {}),
      ...(cost ? { 'mlflow.trace.cost': cost } : {}),
    },
    tags: { 'mlflow.traceName': root.name },
  };
}

/** The numbers of an attribute added up key by key, as JSON; null where no span has it, or one that uses tokens has none. */
function sumOf(spans: readonly ReadableSpan[], attribute: string): string | null {
  const calls = spans.filter((span) => span.attributes['mlflow.chat.tokenUsage'] !== undefined);
  const sums: Record<string, Big> = {};
  for (const { attributes } of calls) {
    const value = attributes[attribute];
    if (typeof value !== 'string') return null;
    for (const [key, number] of Object.entries(JSON.parse(value) as Record<string, number>)) {
      sums[key] = (sums[key] ?? new Big(0)).plus(number);
    }
  }
  const written = Object.entries(sums).map(([key, sum]) => `${JSON.stringify(key)}:${sum.toFixed()}`);
  return written.length > 0 ? `{${written.join(',')}}` : null;
}

/** A span as MLflow stores it: ids as base64, every attribute a JSON text (mlflow/entities/span.py, `to_dict`). */
export function storedSpan(span: ReadableSpan): object {
  const { traceId, spanId } = span.spanContext();
  const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
  const own = Object.entries(span.attributes).map(([key, value]) => [
    key,
    // Those that hold JSON are stored as it, not as a text that holds it.
    key === 'mlflow.chat.tokenUsage' || key === 'mlflow.llm.cost' ? value : JSON.stringify(value),
  ]);
  return {
    trace_id: base64(traceId),
    span_id: base64(spanId),
    parent_span_id: span.parentSpanContext ? base64(span.parentSpanContext.spanId) : null,
    name: span.name,
    start_time_unix_nano: nanos(span.startTime),
    end_time_unix_nano: nanos(span.endTime),
    events: [],
    status: {
      code: span.status.code === SpanStatusCode.ERROR ? 'STATUS_CODE_ERROR' : 'STATUS_CODE_OK',
      message: span.status.message ?? '',
    },
    attributes: {
      ...Object.fromEntries(own),
      'mlflow.traceRequestId': JSON.stringify(`tr-${traceId}`),
    },
  };
}

function millis([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000 + nanoseconds / 1e6;
}

/** To the microsecond, as a number: JSON readers in other languages want no text here. */
function nanos([seconds, nanoseconds]: HrTime): number {
  return seconds * 1e9 + Math.floor(nanoseconds / 1_000) * 1_000;
}
