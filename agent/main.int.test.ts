import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChildMessage, InspectReply } from '@/lib/contract/child-messages';
import { InvoiceFields } from '@/lib/contract/fields';
import { bundleForTest } from '@/test/bundle';
import { exitOf } from '@/test/exit-of';
import { bombPdf, textPdf } from '@/test/pdf';
import { INVOICE_AGENT, runInputForTest } from '@/test/run-input';

let folder: string;
let model: Server;
let agentScript: string;
let inspectScript: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickmark-agent-'));
  [agentScript, inspectScript] = await Promise.all([
    bundleForTest('agent/main.ts'),
    bundleForTest('agent/inspect.ts'),
  ]);
  model = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          model: 'stub',
          choices: [{ message: { content: JSON.stringify(ANSWER) } }],
          usage: { prompt_tokens: 50, completion_tokens: 5 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  model.close();
  await rm(folder, { recursive: true, force: true });
});

const none = { value: null, line: null, quote: null, confidence: 0 };
const ANSWER = {
  ...Object.fromEntries(Object.keys(InvoiceFields.shape).map((name) => [name, none])),
  grand_total: { value: '12.50', line: '1:1', quote: 'Total 12.50', confidence: 1 },
};

async function store(bytes: Buffer): Promise<string> {
  const path = join(folder, `${randomUUID()}.pdf`);
  await writeFile(path, bytes);
  return path;
}

/** Runs the agent child on a document and gives all that it told its host. */
async function runChild(bytes: Buffer): Promise<ChildMessage[]> {
  const { port } = model.address() as AddressInfo;
  const input = runInputForTest({
    agent: INVOICE_AGENT,
    document: { path: await store(bytes), filename: 'x.pdf', sizeBytes: bytes.length, pageCount: null },
    model: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: null, name: 'stub' },
  });
  const inputPath = join(folder, `${input.attemptId}.json`);
  await writeFile(inputPath, JSON.stringify(input));
  const child = spawn(process.execPath, [agentScript, inputPath], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const messages: ChildMessage[] = [];
  child.on('message', (raw) => messages.push(ChildMessage.parse(raw)));
  await exitOf(child);
  return messages;
}

test('the child reads, asks, reports progress and usage, and ends with the result', async () => {
  const messages = await runChild(await textPdf([{ texts: [{ text: 'Total 12.50', x: 50, y: 50 }] }]));
  expect(messages.some((message) => message.kind === 'progress')).toBe(true);
  expect(messages.at(-1)).toMatchObject({
    kind: 'succeeded',
    usage: { model: 'stub', inputTokens: 50, outputTokens: 5 },
    result: { documentType: 'invoice', confidence: 1 },
  });
});

test('a file that cannot be read ends as failed with its code, and the model is not asked', async () => {
  expect((await runChild(bombPdf(200))).at(-1)).toMatchObject({
    kind: 'failed',
    error: { code: 'resource_limit', retryable: false },
    usage: null,
  });
  expect((await runChild(Buffer.from('no pdf'))).at(-1)).toMatchObject({ error: { code: 'not_a_pdf' } });
});

async function inspect(child: ChildProcess, bytes: Buffer, maxPages = 2_000): Promise<InspectReply> {
  const id = randomUUID();
  const answer = once(child, 'message');
  child.send({ id, path: await store(bytes), maxPages });
  const reply = InspectReply.parse((await answer)[0]);
  expect(reply.id).toBe(id);
  return reply;
}

test('the inspect child answers one document after the other', async () => {
  const child = spawn(process.execPath, [inspectScript], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    const pages = Array.from({ length: 30 }, () => ({ texts: [{ text: 'ten chars!', x: 50, y: 50 }] }));
    const good = await textPdf(pages);
    expect(await inspect(child, good)).toMatchObject({ pageCount: 30, textChars: 330, verdict: null });
    expect((await inspect(child, good, 29)).verdict?.code).toBe('too_many_pages');
    expect((await inspect(child, bombPdf(200))).verdict?.code).toBe('resource_limit');
    expect((await inspect(child, Buffer.from('%PDF-1.4'))).verdict?.code).toBe('corrupt_pdf');
    expect((await inspect(child, await textPdf([{ texts: [] }]))).textChars).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
});
