import { type Attributes, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace';
import type { RunInput, TraceTarget } from '@/lib/contract/run-input';
import { costOf } from '../call-cost';
import { type ModelCall, tallyUsage, tokensOf } from '../usage-tally';
import { deliverClassic } from './deliver-classic';
import { deliverByOtlp } from './deliver-otlp';
import { callAttributes } from './llm-span';
import { type DeliverSpans, SpanSender } from './span-sender';

/** The trace of one attempt: a root span and one span per model call, sent while the run goes on. */
export interface AttemptTrace {
  /** Notes a call that has just ended. */
  record(call: ModelCall): void;
  /**
   * Ends the trace and sends what is left. Never throws: a trace that can't be sent is no reason to lose a result.
   * @returns null when all has arrived, else why not
   */
  end(outcome: 'succeeded' | { readonly failed: string }, patienceMs?: number): Promise<unknown>;
}

export interface TraceSurroundings {
  /** Headers that name who sends, asked before each request; on Databricks the run's own bearer token. */
  readonly authorise?: () => Promise<Record<string, string>>;
}

/** How long a result may wait for its trace to arrive. */
const PATIENCE_MS = 3_000;
const ROOT_NAME = 'extract document';

/** Opens the trace of an attempt under the id chosen for it; null where none is asked for. */
export function openTrace(input: RunInput, around: TraceSurroundings = {}): AttemptTrace | null {
  if (!input.tracing || !/^[0-9a-f]{32}$/.test(input.traceId)) return null;
  const sender = new SpanSender(deliveryTo(input.tracing, input, around));
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tickmark-agent' }),
    idGenerator: new PresetTraceId(input.traceId),
    spanProcessors: [sender],
  });
  const tracer = provider.getTracer('tickmark');
  const session = { 'session.id': input.taskId };
  const root = tracer.startSpan(
    ROOT_NAME,
    {
      attributes: {
        ...session,
        'mlflow.spanType': 'AGENT',
        'gen_ai.operation.name': 'invoke_agent',
        'tickmark.task_id': input.taskId,
        'tickmark.attempt_id': input.attemptId,
        'tickmark.agent': input.agent.id,
        'tickmark.agent_version': input.agent.version,
      },
    },
    ROOT_CONTEXT,
  );
  const calls: ModelCall[] = [];
  return {
    record(call) {
      calls.push(call);
      const tokens = tokensOf(call);
      const cost = costOf(call.model, tokens, input.prices ?? []);
      const endpoint = { baseUrl: input.model.baseUrl, model: input.model.name };
      const endedAt = Date.now();
      tracer
        .startSpan(
          `chat ${call.model}`,
          {
            startTime: endedAt - 1_000 * call.seconds,
            attributes: { ...session, ...callAttributes(call, tokens, cost, endpoint) },
          },
          trace.setSpan(ROOT_CONTEXT, root),
        )
        .end(endedAt);
    },
    async end(outcome, patienceMs = PATIENCE_MS) {
      root.setAttributes(ownSums(calls, input));
      endRoot(root, outcome);
      return sender.finish(patienceMs);
    },
  };
}

/** The run's own count, so that a reader sees when spans are missing; under names that no server adds up. */
function ownSums(calls: readonly ModelCall[], { prices }: RunInput): Attributes {
  const usage = tallyUsage(calls, prices);
  return {
    'tickmark.model_calls': calls.length,
    'tickmark.input_tokens': usage.inputTokens,
    'tickmark.output_tokens': usage.outputTokens,
    ...(usage.costUsd === null ? {} : { 'tickmark.cost_usd': usage.costUsd }),
  };
}

function endRoot(root: Span, outcome: Parameters<AttemptTrace['end']>[0]): void {
  if (outcome === 'succeeded') root.setStatus({ code: SpanStatusCode.OK });
  else {
    // The code alone: messages may quote what a document says.
    root.setAttribute('error.type', outcome.failed);
    root.setStatus({ code: SpanStatusCode.ERROR, message: outcome.failed });
  }
  root.end();
}

function deliveryTo(target: TraceTarget, input: RunInput, { authorise }: TraceSurroundings): DeliverSpans {
  const base = target.url.replace(/\/+$/, '');
  if (target.kind === 'mlflow') {
    const { experimentId, authorization } = target;
    return deliverByOtlp({
      url: `${base}/v1/traces`,
      headers: async () => ({
        'x-mlflow-experiment-id': experimentId,
        ...(authorization ? { authorization } : {}),
        ...(await authorise?.()),
      }),
    });
  }
  const authorised = authorise ?? (async () => ({}));
  if (target.spansTable === null) return deliverClassic(base, target.experimentId, input, authorised);
  const table = target.spansTable;
  return deliverByOtlp({
    url: `${base}/api/2.0/otel/v1/traces`,
    headers: async () => ({ 'X-Databricks-UC-Table-Name': table, ...(await authorised()) }),
  });
}

/** Gives the trace the id that the orchestrator chose; spans have random ones. */
class PresetTraceId extends RandomIdGenerator {
  constructor(traceId: string) {
    super();
    this.generateTraceId = () => traceId;
  }
}
