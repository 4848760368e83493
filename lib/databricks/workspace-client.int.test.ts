import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type JumpingClock, jumpingClock } from '@/test/call-clock';
import { type Given, NEVER, type Received, startTestServer, type TestServer } from '@/test/http-server';
import { SELF_SIGNED } from '@/test/self-signed';
import { idNumber } from './exact-json';
import { createWorkspaceClient, type WorkspaceClient } from './workspace-client';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface World {
  readonly server: TestServer;
  readonly client: WorkspaceClient;
  readonly clock: JumpingClock;
  readonly log: { readonly warn: ReturnType<typeof vi.fn>; readonly debug: ReturnType<typeof vi.fn> };
  /** Requests but those for tokens. */
  calls(): Received[];
  tokensGiven(): number;
}

/** A workspace that gives numbered tokens and answers the rest as told. */
async function world(
  answer: (call: Received, n: number) => Given | typeof NEVER | Promise<Given | typeof NEVER>,
  { token, tls }: { token?: (n: number) => Given; tls?: typeof SELF_SIGNED } = {},
): Promise<World> {
  let tokens = 0;
  let calls = 0;
  const server = await startTestServer((call) => {
    if (call.path !== '/oidc/v1/token') return answer(call, ++calls);
    tokens += 1;
    return (
      token?.(tokens) ?? { body: { access_token: `token-${tokens}`, token_type: 'Bearer', expires_in: 3600 } }
    );
  }, tls);
  const clock = jumpingClock();
  const log = { warn: vi.fn(), debug: vi.fn() };
  const client = createWorkspaceClient({
    host: server.origin,
    clientId: 'id',
    clientSecret: 'se:cret',
    log,
    clock,
  });
  open.push(client, server);
  return {
    server,
    client,
    clock,
    log,
    calls: () => server.received.filter(({ path }) => path !== '/oidc/v1/token'),
    tokensGiven: () => tokens,
  };
}

const GET = { method: 'GET', path: '/api/2.2/jobs/runs/get', idempotent: true } as const;
const POST = { method: 'POST', path: '/api/2.2/jobs/run-now', json: {}, idempotent: false } as const;

describe('tokens', () => {
  test('client credentials are sent as Databricks wants them, once for all who wait', async () => {
    const { client, server, calls } = await world(() => ({ body: { ok: true } }));
    await Promise.all([client.json(GET), client.json(GET), client.json(GET), client.token()]);
    const asked = server.received.filter(({ path }) => path === '/oidc/v1/token');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from('id:se:cret').toString('base64')}`);
    expect(asked[0]?.body.toString()).toBe('grant_type=client_credentials&scope=all-apis');
    expect(calls().map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer token-1'));
  });

  test('a token is renewed beside the work well before its end, and never used at its end', async () => {
    const { client, clock, tokensGiven } = await world(() => ({}));
    expect(await client.token()).toBe('token-1');
    clock.advance(41 * 60_000);
    expect(await client.token()).toBe('token-1');
    await expect.poll(() => client.token()).toBe('token-2');
    clock.advance(3_561_000);
    expect(await client.token()).toBe('token-3');
    expect(tokensGiven()).toBe(3);
  });

  test('tokens that live for 30 seconds are no reason to ask for each call', async () => {
    const short = (n: number) => ({ body: { access_token: `token-${n}`, expires_in: '30' } });
    const { client, clock, tokensGiven } = await world(() => ({}), { token: short });
    for (let second = 0; second < 14; second += 1) {
      await client.token();
      clock.advance(1_000);
    }
    expect(tokensGiven()).toBe(1);
    clock.advance(11_000);
    expect(await client.token()).toBe('token-2');
  });

  test('a token service that fails while a good token is there is told to the log, not to the caller', async () => {
    const { client, clock, log } = await world(() => ({}), {
      token: (n) =>
        n === 1 ? { body: { access_token: 'token-1', expires_in: 3600 } } : { status: 400, body: {} },
    });
    await client.token();
    clock.advance(50 * 60_000);
    expect(await client.token()).toBe('token-1');
    await expect.poll(() => log.warn.mock.calls.length).toBe(1);
    expect(await client.token()).toBe('token-1');
    clock.advance(10 * 60_000);
    await expect(client.token()).rejects.toThrow(/gives this application no token/);
  });

  test('a token that is refused is replaced once, and a second refusal is the answer', async () => {
    const stale = await world(({ headers }) =>
      headers.authorization === 'Bearer token-1'
        ? { status: 401, body: { error_code: 'UNAUTHENTICATED' } }
        : { body: { ok: 1 } },
    );
    expect(await stale.client.json(POST)).toEqual({ ok: 1 });
    const refused = await world(() => ({
      status: 401,
      body: { error_code: 'UNAUTHENTICATED', message: 'who?' },
    }));
    await expect(refused.client.json(POST)).rejects.toMatchObject({
      status: 401,
      errorCode: 'UNAUTHENTICATED',
    });
    expect(refused.calls()).toHaveLength(2);
  });

  test('wrong credentials say which variables to look at, and neither secret nor token is in any message', async () => {
    const { client } = await world(() => ({}), {
      token: () => ({
        status: 401,
        body: { error: 'invalid_client', error_description: 'Client authentication failed' },
      }),
    });
    const error = await client.token().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 401, errorCode: 'invalid_client', retryable: false });
    expect(String(error)).toMatch(/DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET/);
    const garbled = await world(() => ({}), { token: () => ({ body: { access_tokens: 'te:llt' } }) });
    const unreadable = (await garbled.client.token().catch((reason: unknown) => reason)) as Error;
    expect(JSON.stringify([unreadable.message, unreadable.stack, unreadable.cause ?? null])).not.toContain(
      'te:llt',
    );
  });
});

describe('answers', () => {
  test('ids keep every digit both ways', async () => {
    const { client, calls } = await world(() => ({ body: '{"run_id": 9007199254740993}' }));
    const answer = await client.json({ ...POST, json: { job_id: idNumber('9007199254740995') } });
    expect(answer).toEqual({ run_id: '9007199254740993' });
    expect(calls()[0]?.body.toString()).toBe('{"job_id":9007199254740995}');
    expect(calls()[0]?.headers['content-type']).toBe('application/json');
  });

  test('an empty answer is undefined, queries are encoded and unset ones left out', async () => {
    const { client, calls } = await world(() => ({ status: 200 }));
    expect(
      await client.json({ ...GET, query: { run_id: '1', page_token: 'a&b=c', limit: undefined } }),
    ).toBeUndefined();
    expect(Object.fromEntries(calls()[0]?.query ?? [])).toEqual({ run_id: '1', page_token: 'a&b=c' });
  });

  test.each([
    ['a page with status 200', { body: '<!doctype html><title>Sign in</title>' }, /DATABRICKS_HOST/],
    ['a redirect', { status: 302, headers: { location: '/login.html' } }, /sent us on to another page/],
  ])('%s is not taken for an answer', async (_, given: Given, words) => {
    const { client, calls } = await world(() => given);
    await expect(client.json(GET)).rejects.toThrow(words);
    expect(calls()).toHaveLength(1);
  });

  test('an answer that breaks off is asked for again where that does no harm', async () => {
    const given = (n: number): Given =>
      n === 1 ? { body: '{"run_id": 12', cut: true } : { body: { run_id: 12 } };
    const safe = await world((_, n) => given(n));
    expect(await safe.client.json(GET)).toEqual({ run_id: 12 });
    const unsafe = await world((_, n) => given(n));
    await expect(unsafe.client.json(POST)).rejects.toMatchObject({ status: null, retryable: true });
    expect(unsafe.calls()).toHaveLength(1);
  });

  test('a workspace that says nothing is not waited for without end', async () => {
    const { client } = await world(() => NEVER);
    await expect(client.json({ ...GET, timeoutMs: 50, retryForMs: 0 })).rejects.toThrow(
      /no answer within 0.05 s/,
    );
  });

  test('a 429 makes all callers of the same kind wait, and nobody else', async () => {
    const { client, clock } = await world((_, n) =>
      n === 1
        ? { status: 429, headers: { 'retry-after': '9' }, body: { error_code: 'REQUEST_LIMIT_EXCEEDED' } }
        : {},
    );
    const refused = client.json({ ...POST, family: 'run-now', retryForMs: 0 });
    await expect(refused).rejects.toMatchObject({ status: 429, retryable: true, retryAfterSeconds: 9 });
    await client.json({ ...GET, family: 'runs/get' });
    expect(clock.waits).toEqual([]);
    await client.json({ ...POST, family: 'run-now' });
    expect(clock.waits).toEqual([9_000]);
  });

  test('no machine to talk to is an error without a status that names the machine', async () => {
    const { client, server } = await world(() => ({}));
    await client.token();
    await server.close();
    await expect(client.json({ ...GET, retryForMs: 0 })).rejects.toMatchObject({
      status: null,
      retryable: true,
    });
    await expect(client.json({ ...GET, retryForMs: 0 })).rejects.toThrow(server.origin);
  });

  test('an abort ends a call at once and is not an error of the workspace', async () => {
    const { client } = await world(() => NEVER);
    const controller = new AbortController();
    const call = client.json({ ...GET, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('stopped')), 20);
    await expect(call).rejects.toThrow('stopped');
  });
});

describe('bytes', () => {
  test('bytes are sent with their length, again from the start at each try', async () => {
    const content = Buffer.alloc(300_000, 'x');
    const { client, calls } = await world((_, n) => (n === 1 ? { status: 503 } : { status: 204 }));
    let opened = 0;
    const { body } = await client.stream({
      method: 'PUT',
      path: '/api/2.0/fs/files/Volumes/a/b/c/d',
      content: {
        sizeBytes: content.length,
        open: () =>
          Readable.from([content.subarray(0, 9), content.subarray(9)], {
            objectMode: false,
            highWaterMark: ++opened,
          }),
      },
      idempotent: true,
    });
    await buffer(body);
    expect(opened).toBe(2);
    for (const call of calls()) {
      expect(call.headers['content-length']).toBe('300000');
      expect(call.headers['transfer-encoding']).toBeUndefined();
      expect(call.body.equals(content)).toBe(true);
    }
  });

  test('bytes that are fewer than was said are an error and no whole request', async () => {
    const { client } = await world(() => ({}));
    const content = {
      sizeBytes: 10,
      open: () => Readable.from([Buffer.from('short')], { objectMode: false }),
    };
    const call = client.stream({ method: 'PUT', path: '/x', content, idempotent: true, retryForMs: 0 });
    await expect(call).rejects.toMatchObject({ status: null });
  });

  test('an answer is handed on as it comes, with its headers; an error is an error', async () => {
    const { client } = await world(({ headers }) =>
      headers.range
        ? { status: 206, headers: { 'content-range': 'bytes 0-3/9' }, body: 'part' }
        : { status: 404, body: '' },
    );
    const part = await client.stream({ ...GET, headers: { range: 'bytes=0-3' } });
    expect([part.status, part.header('content-range'), await text(part.body)]).toEqual([
      206,
      'bytes 0-3/9',
      'part',
    ]);
    await expect(client.stream(GET)).rejects.toMatchObject({ status: 404 });
  });
});

describe('whom we talk to', () => {
  test('a certificate that nobody vouches for is refused before any secret is sent, whatever the environment says', async () => {
    const { client, server } = await world(() => ({}), { tls: SELF_SIGNED });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      await expect(client.json(GET)).rejects.toThrow(/NODE_EXTRA_CA_CERTS/);
      expect(server.received).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('plain http to another machine is refused before there is a client', () => {
    const make = () =>
      createWorkspaceClient({
        host: 'http://workspace.example',
        clientId: 'a',
        clientSecret: 'b',
        log: { warn() {}, debug() {} },
      });
    expect(make).toThrow(/over https only/);
  });
});
