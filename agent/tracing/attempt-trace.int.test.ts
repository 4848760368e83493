import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelCall } from '@/agent/usage-tally';
import type { RunInput } from '@/lib/contract/run-input';
import { type MlflowStandIn, startMlflowStandIn } from '@/test/mlflow-stand-in';
import { runInputForTest } from '@/test/run-input';
import { openTrace } from './attempt-trace';

let mlflow: MlflowStandIn;
beforeEach(async () => {
  mlflow = await startMlflowStandIn();
});
afterEach(() => mlflow.close());

const PRICES = [{ model: 'stub', input: '0.10', cachedInput: '0.025', cacheWrite: '0.1', output: '0.40' }];
const call = (inputTokens: number): ModelCall => ({
  purpose: 'extract',
  model: 'stub',
  seconds: 0.25,
  raw: { prompt_tokens: inputTokens, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } },
  estimatedTokens: { input: 0, output: 0 },
});

function open(change: Partial<RunInput> = {}) {
  const input = runInputForTest({
    prices: PRICES,
    tracing: { kind: 'mlflow', url: mlflow.url, experimentId: '7', authorization: null },
    ...change,
  });
  const trace = openTrace(input);
  if (!trace) throw new Error('no trace');
  return { input, trace, spans: () => [...(mlflow.traces.get(input.traceId)?.values() ?? [])] };
}

test('M14: a trace has the id chosen for it, a root without figures and a span per call with all of them', async () => {
  const { input, trace, spans } = open();
  trace.record(call(100));
  trace.record(call(200));
  expect(await trace.end('succeeded')).toBeNull();
  const [root, ...others] = spans().filter((span) => span.parentSpanId === '');
  expect(others).toEqual([]);
  expect(root).toMatchObject({ traceId: input.traceId, statusCode: 1 });
  expect(root?.attributes).toMatchObject({
    'mlflow.spanType': 'AGENT',
    'tickmark.attempt_id': input.attemptId,
    'session.id': input.taskId,
    'tickmark.model_calls': 2,
    'tickmark.input_tokens': 300,
  });
  expect(Object.keys(root?.attributes ?? {}).filter((key) => /usage|tokenUsage|llm/.test(key))).toEqual([]);
  const [first] = spans().filter((span) => span.parentSpanId === root?.spanId);
  expect(first?.attributes).toMatchObject({
    'mlflow.spanType': 'CHAT_MODEL',
    'mlflow.llm.model': 'stub',
    'mlflow.llm.cost': '{"input_cost":0.000007,"output_cost":0.000008,"total_cost":0.000015}',
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.cache_read.input_tokens': 40,
  });
  expect(JSON.parse(String(first?.attributes['mlflow.chat.tokenUsage']))).toEqual({
    input_tokens: 100,
    output_tokens: 20,
    total_tokens: 120,
    cache_read_input_tokens: 40,
    cache_creation_input_tokens: 0,
  });
});

test('an endpoint that is not in MLflow’s price catalogue has no provider, and a model without a price no cost', async () => {
  const { trace, spans } = open({ prices: [] });
  trace.record(call(100));
  await trace.end('succeeded');
  const attributes = spans().flatMap((span) => Object.keys(span.attributes));
  expect(attributes).not.toContain('gen_ai.provider.name');
  expect(attributes).not.toContain('mlflow.llm.cost');
});

test('M17: the span of a finished call goes out while the run goes on', async () => {
  const { trace, spans } = open();
  trace.record(call(100));
  await expect.poll(() => spans().length, { timeout: 30_000 }).toBe(1);
  await trace.end('succeeded');
  expect(spans()).toHaveLength(2);
});

test('what a server refused is sent again with what came since, and each span is there once', async () => {
  const { trace, spans } = open();
  mlflow.fault = { status: 422 };
  trace.record(call(100));
  await expect.poll(() => mlflow.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);
  mlflow.fault = null;
  trace.record(call(200));
  expect(await trace.end({ failed: 'timeout' }, 30_000)).toBeNull();
  expect(spans()).toHaveLength(3);
  expect(spans().find((span) => span.parentSpanId === '')).toMatchObject({
    statusCode: 2,
    attributes: { 'error.type': 'timeout' },
  });
});

test('a server that refuses or hangs never fails a run: the end says why nothing arrived, within its patience', async () => {
  for (const fault of [{ status: 500 }, { status: 403 }, 'hang'] as const) {
    const { trace } = open();
    mlflow.fault = fault;
    trace.record(call(100));
    expect(await trace.end('succeeded', 300)).toBeInstanceOf(Error);
  }
});

test('no text of a document, prompt or answer is in a trace, nor the message of an error', async () => {
  const { trace, spans } = open();
  trace.record({
    ...call(1),
    raw: { prompt_tokens: 1, completion_tokens: 1, note: 'SECRET' } as ModelCall['raw'],
  });
  await trace.end({ failed: 'internal' });
  expect(JSON.stringify(spans())).not.toContain('SECRET');
  expect(spans().flatMap((span) => Object.keys(span.attributes))).not.toContain('mlflow.spanInputs');
});

test('a server that asks for a password gets the header that the run was given', async () => {
  mlflow.authorization = 'Bearer t';
  const { input, trace } = open({
    tracing: { kind: 'mlflow', url: `${mlflow.url}/`, experimentId: '0', authorization: 'Bearer t' },
  });
  expect(await trace.end('succeeded')).toBeNull();
  expect(mlflow.traces.has(input.traceId)).toBe(true);
});

test('without a place for traces, or with an id that is none, none is recorded', () => {
  expect(openTrace(runInputForTest())).toBeNull();
  const tracing = { kind: 'mlflow', url: mlflow.url, experimentId: '0', authorization: null } as const;
  expect(openTrace(runInputForTest({ tracing, traceId: 'trace' }))).toBeNull();
});
