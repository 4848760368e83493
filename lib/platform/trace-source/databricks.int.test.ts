import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openTrace } from '@/agent/tracing/attempt-trace';
import { startWorkspace } from '@/e2e/workspace/workspace';
import { createWorkspaceClient } from '@/lib/databricks/workspace-client';
import { createLogger } from '@/lib/log';
import { type MlflowStandIn, startMlflowStandIn } from '@/test/mlflow-stand-in';
import { runInputForTest } from '@/test/run-input';
import { type SourceUnderTest, traceSourceConformance } from './conformance';
import { createDatabricksSource } from './mlflow';

const call = (prompt_tokens: number, cached_tokens: number) => ({
  purpose: 'extract',
  model: 'stub',
  seconds: 0,
  raw: { prompt_tokens, completion_tokens: 20, prompt_tokens_details: { cached_tokens } },
  estimatedTokens: { input: 0, output: 0 },
});

const ATTEMPT_ID = '11111111-2222-4333-8444-555555555555';

/** Together 0.1000123: 60 fresh tokens of the first call, 200 of the second. */
const PRICES = [
  { model: 'first', input: '0.205', cachedInput: '0', cacheWrite: '0', output: '0' },
  { model: 'second', input: '500', cachedInput: '0', cacheWrite: '0', output: '0' },
];

traceSourceConformance('databricks, in the experiment’s own storage', async (): Promise<SourceUnderTest> => {
  const workspace = await startWorkspace();
  const log = createLogger('test', 'silent');
  const client = createWorkspaceClient({ ...workspace, log });
  const authorise = async () => ({ authorization: `Bearer ${await client.token()}` });
  const experimentId = workspace.env().MLFLOW_EXPERIMENT_ID ?? '';
  let isStopped = false;
  let refused = false;
  const close = async () => {
    if (!isStopped) await workspace.stop();
    isStopped = true;
  };
  return {
    source: createDatabricksSource(
      {
        url: workspace.host,
        authorise: async () => (refused ? { authorization: 'Bearer of nobody' } : authorise()),
      },
      { kind: 'experiment' },
    ),
    async write(traceId, state) {
      const tracing = { kind: 'databricks', url: workspace.host, experimentId, spansTable: null } as const;
      const trace = openTrace(runInputForTest({ traceId, attemptId: ATTEMPT_ID, tracing, prices: PRICES }), {
        authorise,
      });
      trace?.record({ ...call(100, 40), model: 'first' });
      if (state === 'in_flight') return;
      trace?.record({ ...call(200, 0), model: 'second' });
      expect(await trace?.end('succeeded', 60_000)).toBeNull();
      expect(JSON.parse(workspace.traces.spans.get(`tr-${traceId}`) ?? '').spans).toHaveLength(3);
    },
    async fail(how) {
      refused = how === 'refuses';
      if (how === 'is_away') await close();
    },
    close,
  };
});

traceSourceConformance('databricks, in Unity Catalog', async (): Promise<SourceUnderTest> => {
  // Spans go where the open-source server would take them, and come back as its batch call gives them.
  const spans = await startMlflowStandIn();
  const front = await startCatalogFront(spans);
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await front.close();
    await spans.close();
  };
  return {
    source: createDatabricksSource(
      { url: front.url, authorise: async () => ({ authorization: `Bearer ${front.token}` }) },
      { kind: 'catalog', location: 'main.traces', warehouseId: 'w1' },
    ),
    async write(traceId, state) {
      const tracing = {
        kind: 'databricks',
        url: front.url,
        experimentId: '42',
        spansTable: 'main.traces.spans',
      } as const;
      const authorise = async () => ({ authorization: `Bearer ${front.token}` });
      const trace = openTrace(runInputForTest({ traceId, attemptId: ATTEMPT_ID, tracing, prices: PRICES }), {
        authorise,
      });
      trace?.record({ ...call(100, 40), model: 'first' });
      if (state === 'in_flight') {
        await expect.poll(() => spans.traces.get(traceId)?.size, { timeout: 30_000 }).toBe(1);
        return;
      }
      // Written again as a whole: the first time's spans are others, so the store begins anew.
      spans.forget(traceId);
      trace?.record({ ...call(200, 0), model: 'second' });
      expect(await trace?.end('succeeded', 60_000)).toBeNull();
    },
    async fail(how) {
      if (how === 'is_away') await close();
      else front.accepts = 'another';
    },
    close,
  };
});

/** `POST /api/2.0/otel/v1/traces` and `GET /api/4.0/mlflow/traces/{location}/batchGet`, with what each asks for. */
async function startCatalogFront(spans: MlflowStandIn) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const answer = (status: number, body: string | Uint8Array) => {
      response.writeHead(status);
      response.end(body);
    };
    if (request.headers.authorization !== `Bearer ${front.accepts}`) return answer(401, '{}');
    if (request.method === 'POST' && url.pathname === '/api/2.0/otel/v1/traces') {
      if (request.headers['x-databricks-uc-table-name'] !== 'main.traces.spans') return answer(400, '{}');
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const taken = await fetch(`${spans.url}/v1/traces`, {
        method: 'POST',
        body: Buffer.concat(chunks),
        headers: { 'content-type': String(request.headers['content-type']), 'x-mlflow-experiment-id': '0' },
      });
      return answer(taken.status, '');
    }
    if (url.pathname !== '/api/4.0/mlflow/traces/main.traces/batchGet') return answer(404, '{}');
    if (url.searchParams.get('sql_warehouse_id') !== 'w1') return answer(400, '{}');
    const id = url.searchParams.get('trace_ids') ?? '';
    const found = await fetch(`${spans.url}/api/3.0/mlflow/traces/get?trace_id=tr-${id}&allow_partial=true`);
    if (found.status === 404) return answer(200, '{}');
    return answer(200, JSON.stringify({ traces: [((await found.json()) as { trace: unknown }).trace] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'of the run',
    accepts: 'of the run',
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;
}

test('totals that a server cut off are not known, instead of being half of it', async () => {
  const { totalsOf } = await import('./trace-totals');
  expect(totalsOf({ 'mlflow.trace.tokenUsage': '{"input_tokens": 10, "outp' })).toBeNull();
  expect(
    totalsOf({ 'mlflow.trace.tokenUsage': '{"input_tokens": 10}', 'mlflow.trace.cost': '{"total' }),
  ).toMatchObject({
    inputTokens: 10,
    costUsd: null,
  });
});
