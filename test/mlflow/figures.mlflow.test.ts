import Big from 'big.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textPdf } from '@/test/pdf';
import { type MlflowServer, startMlflow } from './server';
import { startTickmark, type Tickmark } from './tickmark';
import { MODEL, startToldModel, type ToldModel } from './told-model';

let mlflow: MlflowServer;
let model: ToldModel;
let tickmark: Tickmark;
beforeAll(async () => {
  mlflow = await startMlflow();
  model = await startToldModel();
  tickmark = await startTickmark({
    MLFLOW_TRACKING_URI: mlflow.url,
    MLFLOW_EXPERIMENT_ID: '0',
    MODEL_BASE_URL: model.url,
    MODEL_NAME: MODEL,
    LOG_LEVEL: 'warn',
  });
  await tickmark.sql.query(
    `insert into tickmark.model_prices values ($1, '2020-01-01', 2.5, 0.25, 3.125, 10.01, false, 'test')`,
    [MODEL],
  );
});
afterAll(async () => {
  await tickmark?.stop();
  await model?.close();
  await mlflow?.stop();
});

interface AttemptRow {
  id: string;
  status: string;
  trace_id: string;
  input_tokens: string;
  cached_input_tokens: string;
  output_tokens: string;
  llm_cost_usd: string;
  reported_cost_usd: string;
  trace_settled: boolean;
  usage: { inputTokens: number; cachedInputTokens: number; outputTokens: number; traceExported: boolean };
  trace_status: string;
  trace_calls: number | null;
  differs: boolean;
}

const attemptOf = async (taskId: string) => {
  const { rows } = await tickmark.sql.query<AttemptRow>(
    `select a.*, t.status as trace_status, t.model_calls as trace_calls, t.differs
     from tickmark.task_attempts a join tickmark.attempt_traces t on t.attempt_id = a.id
     where a.task_id = $1 order by a.number desc limit 1`,
    [taskId],
  );
  return rows[0];
};
const patience = { timeout: 240_000, interval: 250 };
const upload = async (name: string, text: string) => {
  const bytes = await textPdf([{ texts: [{ text, x: 50, y: 50 }] }]);
  const [taskId = ''] = await tickmark.upload('auto', [{ name, bytes }]);
  return taskId;
};
const traceStatus = (taskId: string) =>
  expect.poll(async () => (await attemptOf(taskId))?.trace_status, patience);

/** What MLflow itself adds up for a trace. */
async function mlflowTotals(traceId: string) {
  const { trace } = (await mlflow.get(`/api/3.0/mlflow/traces/tr-${traceId}`)) as {
    trace: { trace_info: { state: string; trace_metadata: Record<string, string> } };
  };
  const { state, trace_metadata: metadata } = trace.trace_info;
  const usage = JSON.parse(metadata['mlflow.trace.tokenUsage'] ?? '{}');
  const cost = JSON.parse(metadata['mlflow.trace.cost'] ?? '{}');
  return {
    state,
    input: usage.input_tokens as number,
    cached: usage.cache_read_input_tokens as number,
    output: usage.output_tokens as number,
    // MLflow adds doubles; to the digits that money has here that is exact.
    usd: new Big(cost.total_cost).round(12).toFixed(),
  };
}

/** The same attempt in three places. */
async function compare(taskId: string) {
  const attempt = await attemptOf(taskId);
  if (!attempt) throw new Error(`no attempt of ${taskId}`);
  const { usage } = attempt;
  const agent = {
    input: usage.inputTokens,
    cached: usage.cachedInputTokens,
    output: usage.outputTokens,
    usd: new Big(attempt.reported_cost_usd).toFixed(),
  };
  const tables = {
    input: Number(attempt.input_tokens),
    cached: Number(attempt.cached_input_tokens),
    output: Number(attempt.output_tokens),
    usd: new Big(attempt.llm_cost_usd).toFixed(),
  };
  const { state, ...server } = await mlflowTotals(attempt.trace_id);
  return { agent, tables, server, state, attempt };
}

test('M14, M16, M17: tokens and cost of each attempt are the same in the agent’s report, in MLflow and in our tables', async () => {
  const taskIds = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => upload(`${n}.pdf`, `Letter number ${n}`)));
  for (const taskId of taskIds) {
    await traceStatus(taskId).toBe('complete');
    const { agent, tables, server, state, attempt } = await compare(taskId);
    expect(attempt).toMatchObject({
      status: 'succeeded',
      trace_settled: true,
      differs: false,
      trace_calls: 2,
    });
    expect(attempt.usage.traceExported).toBe(true);
    expect(state).toBe('OK');
    expect(tables.input).toBeGreaterThan(2_000);
    expect(tables.usd).toMatch(/^0\.0\d{5,}$/);
    expect(tables).toEqual(agent);
    expect(server).toEqual(agent);
    const task = await tickmark.get(`/api/v1/tasks/${taskId}`);
    expect(new Big(String(task.llmCostUsd)).toFixed()).toBe(agent.usd);
  }
});

test('M17: the cost of a call is in our tables from its trace while the run goes on', async () => {
  model.holdFor = 'held back';
  const taskId = await upload('held.pdf', 'This one is held back');
  await expect.poll(async () => (await attemptOf(taskId))?.trace_calls, patience).toBe(1);
  const attempt = await attemptOf(taskId);
  expect(attempt).toMatchObject({ status: 'running', trace_status: 'waiting', trace_settled: false });
  expect(Number(attempt?.llm_cost_usd)).toBeGreaterThan(0);
  expect((await mlflowTotals(attempt?.trace_id ?? '')).state).toBe('IN_PROGRESS');
  model.letGo();
  await traceStatus(taskId).toBe('complete');
  const { agent, tables, server } = await compare(taskId);
  expect(tables).toEqual(agent);
  expect(server).toEqual(agent);
});

test('a failed attempt has its trace too, with the tokens that it cost', async () => {
  model.failFor = 'will fail';
  const taskId = await upload('fails.pdf', 'This one will fail');
  await traceStatus(taskId).toBe('complete');
  const { agent, tables, server, state, attempt } = await compare(taskId);
  expect(attempt).toMatchObject({ status: 'failed', trace_calls: 1 });
  expect(state).toBe('ERROR');
  expect(tables).toEqual(agent);
  expect(server).toEqual(agent);
});

test('a run that is told to stop still sends its trace', async () => {
  model.holdFor = 'to be cancelled';
  const taskId = await upload('cancelled.pdf', 'This one is to be cancelled');
  await expect.poll(async () => (await attemptOf(taskId))?.trace_calls, patience).toBe(1);
  await tickmark.post(`/api/v1/tasks/${taskId}/cancel`);
  await traceStatus(taskId).toBe('complete');
  model.letGo();
  const { tables, server, state } = await compare(taskId);
  expect(state).toBe('ERROR');
  expect(tables).toEqual(server);
});
