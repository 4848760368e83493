import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCaller } from './caller';
import { startWorkspace, type Workspace } from './workspace';

let workspace: Workspace;
let caller: ReturnType<typeof createCaller>;
beforeAll(async () => {
  workspace = await startWorkspace();
  caller = createCaller(workspace);
});
afterAll(() => workspace.stop());

const ID = `tr-${'ab'.repeat(16)}`;
const info = (experiment_id: string) => ({
  trace_id: ID,
  trace_location: { type: 'MLFLOW_EXPERIMENT', mlflow_experiment: { experiment_id } },
  request_time: '2026-11-30T10:00:00.000Z',
  execution_duration: '1.250s',
  state: 'OK',
  trace_metadata: { 'mlflow.trace.tokenUsage': '{"input_tokens":3,"output_tokens":1,"total_tokens":4}' },
});
const write = (trace_info: object) =>
  caller.call('POST', '/api/3.0/mlflow/traces', { body: JSON.stringify({ trace: { trace_info } }) });

test('a trace is written whole and read back; its spans go to a signed address without our token', async () => {
  const experiment = workspace.env().MLFLOW_EXPERIMENT_ID ?? '';
  expect((await caller.call('GET', `/api/3.0/mlflow/traces/${ID}`)).status).toBe(404);
  expect((await write(info(experiment))).status).toBe(200);
  const read = await caller.call('GET', `/api/3.0/mlflow/traces/${ID}`);
  expect(read.json).toMatchObject({ trace: { trace_info: info(experiment) } });
  const credentials = await caller.call('GET', `/api/2.0/mlflow/traces/${ID}/credentials-for-data-upload`);
  const { signed_uri } = (credentials.json.credential_info ?? {}) as { signed_uri: string };
  const put = (headers: Record<string, string>, address = signed_uri) =>
    fetch(address, { method: 'PUT', body: '{"spans":[]}', headers });
  expect((await put({ authorization: await caller.bearer() })).status).toBe(400);
  expect((await put({}, signed_uri.replace(/=.*/, '=other'))).status).toBe(403);
  expect((await put({})).status).toBe(200);
  expect(workspace.traces.spans.get(ID)).toBe('{"spans":[]}');
});

test.each([
  ['no state', { state: 'STATE_UNSPECIFIED' }],
  ['an id without its prefix', { trace_id: 'ab'.repeat(16) }],
  ['totals that are no numbers', { trace_metadata: { 'mlflow.trace.cost': '{"total_cost":"0.1"}' } }],
  ['metadata that is no text', { trace_metadata: { a: 1 } }],
  ['a field that is not one', { spans: [] }],
])('a trace with %s is refused', async (_title, wrong) => {
  const trace = { ...info(workspace.env().MLFLOW_EXPERIMENT_ID ?? ''), ...wrong };
  expect((await write(trace)).status).toBe(400);
});

test('another experiment is not there, and without CAN_EDIT nothing is', async () => {
  expect((await write(info('1'))).status).toBe(404);
  workspace.app.grants.delete('experiment:CAN_EDIT');
  expect((await write(info('1'))).status).toBe(403);
  workspace.app.grants.add('experiment:CAN_EDIT');
});
