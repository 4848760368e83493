import { afterAll, beforeAll, expect, test } from 'vitest';
import { TaskDetail } from '@/lib/contract/api';
import { Health } from '@/lib/contract/api-health';
import { readHealth } from '@/lib/http/health';
import { prometheusText } from '@/lib/live/prometheus';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { writeTask } from '@/test/story';
import { GET as getOne } from './[id]/route';

let app: TestApp;
let operator: Record<string, string>;
beforeAll(async () => {
  app = await createTestApp({ MLFLOW_TRACKING_URI: 'http://mlflow:5000', MLFLOW_EXPERIMENT_ID: '3' });
  operator = await bearer('operator');
});
afterAll(() => app.close());

const TRACE = 'ab'.repeat(16);

async function write(trace: Record<string, unknown> | null): Promise<string> {
  const taskId = await writeTask(app.db, {
    status: 'completed',
    attempts: [{ status: 'succeeded', inputTokens: 2_000, outputTokens: 100, costUsd: '0.023' }],
  });
  await app.db.$client.query(
    `update tickmark.task_attempts set trace_id = $2,
       usage = '{"inputTokens": 1000, "cachedInputTokens": 0, "cacheWriteTokens": 0, "outputTokens": 100}'
     where task_id = $1`,
    [taskId, TRACE],
  );
  if (trace) {
    const all = { status: 'complete', read_at: 'now', done_at: 'now', ...trace };
    await app.db.$client.query(
      `insert into tickmark.attempt_traces (attempt_id, task_id, ${Object.keys(all).join(', ')})
       select id, task_id, ${Object.keys(all).map((_, n) => `$${n + 2}`)} from tickmark.task_attempts where task_id = $1`,
      [taskId, ...Object.values(all)],
    );
  }
  return taskId;
}

const one = async (id: string) =>
  TaskDetail.parse(await (await call(getOne, { params: { id }, headers: operator })).json()).attempts[0];

const FIGURES = {
  model_calls: 2,
  input_tokens: 2_000,
  cached_input_tokens: 0,
  output_tokens: 100,
  llm_cost_usd: '0.023',
};

test('M14: an attempt shows its trace’s figures and those reported, that they differ, and where the trace is', async () => {
  const id = await write({ ...FIGURES, callback_cost_usd: '0.013', differs: true });
  expect((await one(id))?.trace).toEqual({
    status: 'complete',
    url: `http://mlflow:5000/#/experiments/3/traces?selectedEvaluationId=tr-${TRACE}`,
    modelCalls: 2,
    inputTokens: 2_000,
    cachedInputTokens: 0,
    outputTokens: 100,
    llmCostUsd: '0.023',
    differs: true,
    reported: { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 100, llmCostUsd: '0.013' },
  });
});

test('a trace that never came says so, shows no figure of it, never 0, and links nowhere', async () => {
  const id = await write({ status: 'missing', read_at: null });
  expect((await one(id))?.trace).toMatchObject({
    status: 'missing',
    url: null,
    inputTokens: null,
    llmCostUsd: null,
    reported: null,
  });
  expect(await one(id)).toMatchObject({ inputTokens: 2_000, llmCostUsd: '0.023' });
});

test('an attempt whose run was not told to record a trace has none', async () => {
  expect((await one(await write(null)))?.trace).toBeNull();
});

test('health and metrics count what differs and what is missing', async () => {
  const { traces, concerns } = Health.parse(await readHealth({ ...app.runtime }));
  expect(traces).toEqual({ waiting: 0, differLastDay: 1, missingLastDay: 1, error: null });
  expect(concerns.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['traces_differ', 'traces_missing']),
  );
  const { text } = await prometheusText(app.db, app.runtime.live);
  expect(text).toContain('tickmark_traces{state="differ"} 1');
  expect(text).toContain('tickmark_traces{state="missing"} 1');
});
