import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ModelClient, retryAfter } from './model-client';

type Reply = (request: Record<string, unknown>, response: ServerResponse, headers: IncomingMessage) => void;
let server: Server;
let requests: Record<string, unknown>[];
afterEach(() => server.close());

/** A model that gives these replies in order, the last one again and again. */
async function modelWith(...replies: Reply[]): Promise<ModelClient> {
  requests = [];
  server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      requests.push(JSON.parse(body));
      const reply = replies[Math.min(requests.length, replies.length) - 1];
      reply?.(requests.at(-1) ?? {}, response, incoming);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new ModelClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: null, name: 'stub' });
}

const answers =
  (content: string, usage?: object): Reply =>
  (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ model: 'stub-1', choices: [{ message: { role: 'assistant', content } }], usage }),
    );
  };
const refuses =
  (status: number, message = 'no', headers: Record<string, string> = {}): Reply =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message } }));
  };
const request = {
  messages: [{ role: 'user' as const, content: 'two words' }],
  schemaName: 'extraction',
  schema: { type: 'object' },
};

test('an answer comes back with its usage as the provider gave it', async () => {
  const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15, queue_ms: 7 };
  const model = await modelWith(answers('{"a":1}', usage));
  expect(await model.ask(request, 'extract')).toBe('{"a":1}');
  expect(model.calls).toMatchObject([{ purpose: 'extract', model: 'stub-1', raw: usage }]);
  expect(requests[0]).toMatchObject({
    model: 'stub',
    temperature: 0,
    response_format: { type: 'json_schema' },
  });
});

test('tokens are counted where the provider gives no usage', async () => {
  const model = await modelWith(answers('fine'));
  await model.ask(request, 'extract');
  expect(model.calls).toMatchObject([{ raw: null, estimatedTokens: { input: 2, output: 1 } }]);
});

test('a short wait is waited for inside the run', async () => {
  const model = await modelWith(refuses(429, 'slow down', { 'retry-after': '0' }), answers('ok'));
  expect(await model.ask(request, 'extract')).toBe('ok');
  expect(requests).toHaveLength(2);
});

test('a long wait goes back to the queue with the seconds asked for', async () => {
  const model = await modelWith(refuses(429, 'slow down', { 'retry-after': '90' }));
  await expect(model.ask(request, 'extract')).rejects.toMatchObject({
    attemptError: { code: 'rate_limited', retryable: true, retryAfterSeconds: 90 },
  });
  expect(requests).toHaveLength(1);
});

test.each([
  [401, 'MODEL_API_KEY'],
  [402, 'MODEL_API_KEY'],
  [403, 'MODEL_API_KEY'],
  [404, 'MODEL_NAME'],
])(
  'a %i, which every document would get, fails none for good, is asked once a run, and names %s',
  async (status, setting) => {
    const model = await modelWith(refuses(status));
    await expect(model.ask(request, 'extract')).rejects.toMatchObject({
      attemptError: { code: 'model_unavailable', retryable: true, message: expect.stringContaining(setting) },
    });
    expect(requests).toHaveLength(1);
  },
);

test('a request that is refused for what it is, such as one that is too long, is permanent', async () => {
  const model = await modelWith(refuses(400, 'maximum context length exceeded'));
  await expect(model.ask(request, 'extract')).rejects.toMatchObject({
    attemptError: { code: 'model_unavailable', retryable: false },
  });
});

test('an endpoint that fails for long is reported as retryable', async () => {
  const model = await modelWith(refuses(503, 'down', { 'retry-after': '60' }));
  await expect(model.ask(request, 'extract')).rejects.toMatchObject({
    attemptError: { code: 'model_unavailable', retryable: true },
  });
});

test('a web page in the place of a model is no answer', async () => {
  const model = await modelWith((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('retry-after', '60');
    response.end('<html>sign in</html>');
  });
  await expect(model.ask(request, 'extract')).rejects.toMatchObject({
    attemptError: { code: 'model_unavailable' },
  });
});

test('parameters that an endpoint does not know are left out from then on', async () => {
  const model = await modelWith(
    refuses(400, "Unsupported value: 'temperature' does not support 0"),
    refuses(400, 'response_format json_schema is not supported'),
    answers('ok'),
  );
  await model.ask(request, 'extract');
  await model.ask(request, 'extract');
  expect(requests.map((sent) => ['temperature' in sent, 'response_format' in sent])).toEqual([
    [true, true],
    [false, true],
    [false, false],
    [false, false],
  ]);
});

test('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(retryAfter(new Headers({ 'retry-after': '1.2' }), now)).toBe(2);
  expect(retryAfter(new Headers({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }), now)).toBe(30);
  expect(retryAfter(new Headers({ 'retry-after': 'soon' }), now)).toBeNull();
  expect(retryAfter(new Headers(), now)).toBeNull();
});

const PICTURES = [{ page: 3, jpeg: 'AAAA' }];
const seeing = { ...request, messages: [{ role: 'user' as const, content: 'text', pictures: PICTURES }] };

test('pictures of pages follow the text', async () => {
  const model = await modelWith(answers('ok'));
  await model.ask(seeing, 'extract');
  expect(requests[0]?.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'text' },
        { type: 'text', text: 'Picture of page 3:' },
        { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA' } },
      ],
    },
  ]);
});

test('a model that takes no pictures is asked with the text alone', async () => {
  const model = await modelWith(refuses(400, 'image_url is not supported by this model'), answers('ok'));
  expect(await model.ask(seeing, 'extract')).toBe('ok');
  expect(requests[1]?.messages).toEqual([{ role: 'user', content: 'text' }]);
});

test('an answer in blocks is what its text blocks say', async () => {
  const model = await modelWith((_request, response) => {
    const content = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'text', text: '{"a"' },
      { type: 'text', text: ':1}' },
    ];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
  expect(await model.ask(request, 'extract')).toBe('{"a":1}');
});
