import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleForTest } from '@/test/bundle';

let model: ChildProcess;
let origin = '';

beforeAll(async () => {
  const script = await bundleForTest('agent/rules-model/main.ts');
  model = spawn(process.execPath, [script, '--port', '0'], {
    env: { NODE_ENV: 'test', PATH: process.env.PATH, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(model.stderr as NodeJS.ReadableStream, 'data')) as [Buffer];
  origin = `http://127.0.0.1:${(JSON.parse(line.toString().split('\n')[0] ?? '{}') as { port: number }).port}`;
});

afterAll(() => {
  model.kill('SIGKILL');
});

function ask(pages: string): Promise<Response> {
  const schema = {
    type: 'object',
    properties: { grand_total: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  };
  return fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'tickmark-rules-1',
      messages: [
        { role: 'system', content: `Task: extract invoice\n<schema>\n${JSON.stringify(schema)}\n</schema>` },
        { role: 'user', content: `<document>\n${pages}\n</document>` },
      ],
    }),
  });
}

it('answers on this machine, also about a text so long that it gets a thread of its own', async () => {
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  const filler = Array.from({ length: 4_000 }, (_, index) => `Line ${index} of a long annex`).join('\n');
  for (const pages of ['Total due  12.50 EUR\nGrand total  12.50 EUR', `Grand total  12.50 EUR\n${filler}`]) {
    const response = await ask(pages);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('12.50');
  }
});

it('ends when told to', async () => {
  const ended = once(model, 'exit');
  model.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
});
