import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MlflowStandIn, startMlflowStandIn } from '@/test/mlflow-stand-in';
import { type SourceUnderTest, traceSourceConformance } from './conformance';
import { createMlflowSource } from './mlflow';
import { TraceUnreadable } from './port';

const usage = (input: number, cached: number) =>
  JSON.stringify({
    input_tokens: input,
    output_tokens: 20,
    total_tokens: input + 20,
    cache_read_input_tokens: cached,
  });
const call = (traceId: string, spanId: string, input: number, cached: number, cost: string) => ({
  traceId,
  spanId,
  parentSpanId: 'aaaaaaaaaaaaaaaa',
  attributes: {
    'mlflow.chat.tokenUsage': usage(input, cached),
    'mlflow.llm.cost': `{"total_cost":${cost}}`,
    'mlflow.llm.model': 'stub',
    'tickmark.price': 'price_table',
  },
});

function put(server: MlflowStandIn, traceId: string, state: 'in_flight' | 'ended'): void {
  server.put(call(traceId, 'bbbbbbbbbbbbbbbb', 100, 40, '0.0000123'));
  if (state === 'in_flight') return;
  server.put(call(traceId, 'cccccccccccccccc', 200, 0, '0.1'));
  server.put({
    traceId,
    spanId: 'aaaaaaaaaaaaaaaa',
    statusCode: 1,
    attributes: { 'tickmark.model_calls': 2 },
  });
}

traceSourceConformance('mlflow', async (): Promise<SourceUnderTest> => {
  const server = await startMlflowStandIn();
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await server.close();
    isClosed = true;
  };
  return {
    source: createMlflowSource({ url: server.url, authorise: async () => ({}) }),
    write: async (traceId, state) => put(server, traceId, state),
    fail: async (how) => {
      if (how === 'refuses') server.authorization = 'Bearer other';
      else await close();
    },
    close,
  };
});

let server: MlflowStandIn;
beforeEach(async () => {
  server = await startMlflowStandIn();
});
afterEach(() => server.close());
const ID = 'f'.repeat(32);

test('the run’s own count of its calls comes along, so that missing spans are noticed', async () => {
  put(server, ID, 'ended');
  const source = createMlflowSource({ url: server.url, authorise: async () => ({}) });
  expect(await source.read(ID)).toMatchObject({ expectedCalls: 2, calls: [{}, {}] });
});

test('a trace that the server can’t give is one trace that can’t be read, not a server that is away', async () => {
  server.fault = { status: 500 };
  const source = createMlflowSource({ url: server.url, authorise: async () => ({}) });
  await expect(source.read(ID)).rejects.toThrow(TraceUnreadable);
});

test('who asks says so each time anew', async () => {
  server.authorization = 'Bearer 2';
  let n = 0;
  const source = createMlflowSource({
    url: server.url,
    authorise: async () => ({ authorization: `Bearer ${++n}` }),
  });
  await expect(source.read(ID)).rejects.toThrow('refused us (401)');
  expect(await source.read(ID)).toEqual({ kind: 'absent' });
});

test('a trace that is too large is said to be, by its spans and by its bytes, and not read on', async () => {
  const span = { span_id: 'b'.repeat(16), parent_span_id: '', attributes: [] };
  const info = { trace_id: `tr-${ID}`, state: 'OK' };
  const spans = Array.from({ length: 50_001 }, () => span);
  const many = JSON.stringify({ trace: { trace_info: info, spans } });
  const long = 'x'.repeat(1024 * 1024);
  let sent = 0;
  const big = createServer(async (request, response) => {
    if (request.url?.includes('a'.repeat(32))) return void response.end(many);
    // Without a length, and no end of it.
    const endless = Readable.from(
      (function* () {
        for (;;) {
          sent += long.length;
          yield long;
        }
      })(),
    );
    endless.pipe(response).on('close', () => endless.destroy());
  });
  await new Promise<void>((resolve) => big.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(big.address() as AddressInfo).port}`;
  const source = createMlflowSource({ url, authorise: async () => ({}) });
  const readings = [source.read('a'.repeat(32)), source.read('b'.repeat(32))];
  for (const [n, why] of [/it has 50,001 spans/, /more than 64 MiB/].entries()) {
    const error = await readings[n]?.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TraceUnreadable);
    expect(error).toMatchObject({ isFinal: true, message: expect.stringMatching(why) });
  }
  expect(sent).toBeLessThan(256 * long.length);
  big.closeAllConnections();
  await new Promise((resolve) => big.close(resolve));
});

test('the root says which attempt a trace is of', async () => {
  const attemptId = '11111111-2222-4333-8444-555555555555';
  server.put({
    traceId: ID,
    spanId: 'aaaaaaaaaaaaaaaa',
    statusCode: 1,
    attributes: { 'tickmark.attempt_id': attemptId },
  });
  const source = createMlflowSource({ url: server.url, authorise: async () => ({}) });
  expect(await source.read(ID)).toMatchObject({ attemptIds: [attemptId] });
});

test.each([
  ['holds what is no JSON', (answer: ServerResponse) => void answer.end('{"trace": NaN}')],
  [
    'breaks off',
    (answer: ServerResponse) => {
      answer.writeHead(200, { 'content-length': 1_000 });
      answer.write('{"trace":', () => answer.destroy());
    },
  ],
])('an answer that %s is one trace that can’t be read, not a server that is away', async (_, respond) => {
  const odd = createServer((_request, response) => respond(response));
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
  await expect(createMlflowSource({ url, authorise: async () => ({}) }).read(ID)).rejects.toThrow(
    TraceUnreadable,
  );
  odd.closeAllConnections();
  await new Promise((resolve) => odd.close(resolve));
});
