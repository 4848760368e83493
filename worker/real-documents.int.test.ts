import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RateLimiter } from '@/agent/rules-model/limits';
import { rulesModelApp } from '@/agent/rules-model/server';
import { createLogger } from '@/lib/log';
import { bundleForTest } from '@/test/bundle';
import { scannedPdf, textPdf } from '@/test/pdf';
import { until } from '@/test/until';
import { createWorkerFixture, type WorkerFixture } from '@/test/worker-fixture';

let model: ReturnType<typeof serve>;
let world: WorkerFixture;

beforeAll(async () => {
  const limiter = new RateLimiter({ requestsPerMinute: null, tokensPerMinute: null });
  const port = await new Promise<number>((resolve) => {
    const { fetch } = rulesModelApp(limiter, createLogger('test', 'silent'));
    model = serve({ fetch, hostname: '127.0.0.1', port: 0 }, (at: AddressInfo) => resolve(at.port));
  });
  const [agent, inspect] = await Promise.all([
    bundleForTest('agent/main.ts'),
    bundleForTest('agent/inspect.ts'),
  ]);
  const environment = {
    MODEL_BASE_URL: `http://127.0.0.1:${port}/v1`,
    MODEL_NAME: 'tickmark-rules-1',
    MAX_PAGES: '20',
  };
  world = await createWorkerFixture({ agent, inspect, environment });
});
afterAll(async () => {
  await world.close();
  model.close();
});

const LINES = [
  'Muster GmbH, Hauptstr. 1, 10115 Berlin',
  'Rechnung',
  'Rechnungsnummer: RE-2024-0815',
  'Rechnungsdatum: 31.12.2024',
  'Gesamtbetrag: 1.190,00 EUR',
];
const texts = LINES.map((text, n) => ({ text, x: 60, y: 80 + n * 24 }));

test('B41: real documents, good, scanned and bad, each end with a result or the code that says why', async () => {
  await world.upload(
    { filename: 'good.pdf', bytes: await textPdf([{ texts }]) },
    { filename: 'scan.pdf', bytes: await scannedPdf(LINES) },
    { filename: 'no.pdf', bytes: Buffer.from('This is a letter, not a PDF.') },
    { filename: 'long.pdf', bytes: await textPdf(Array.from({ length: 21 }, () => ({ texts }))) },
  );
  world.startWorker();
  const tasks = await until('all to be final', async () => {
    const rows = await world.tasks();
    return rows.every((task) => ['completed', 'failed'].includes(task.status)) ? rows : null;
  });
  expect(tasks.map(({ status, error_code }) => error_code ?? status)).toEqual([
    'completed',
    'completed',
    'not_a_pdf',
    'too_many_pages',
  ]);
  const field = (n: number, name: string) => tasks[n]?.result?.fields.find((found) => found.name === name);
  expect(field(0, 'invoice_number')).toMatchObject({ value: 'RE-2024-0815', page: 1 });
  expect(field(0, 'grand_total')).toMatchObject({ value: '1190.00' });
  expect(field(1, 'invoice_number')).toMatchObject({ page: 1 });
  // Turned away before any attempt.
  expect(tasks.map((task) => task.attempt_count)).toEqual([1, 1, 0, 0]);
});
