import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { parseConfig } from '@/lib/config/schema';
import { checkTraces } from './check-traces';

let close: () => void = () => {};
afterEach(() => close());

async function check(version: string, experimentStatus: number): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/version' ? 200 : experimentStatus;
    response.end(request.url === '/version' ? version : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  const MLFLOW_TRACKING_URI = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found = await checkTraces(parseConfig({ MLFLOW_TRACKING_URI, MLFLOW_EXPERIMENT_ID: '7' }, '/'));
  return `${found?.level}: ${found?.text}`;
}

test('the doctor says whether traces will arrive, and which setting keeps them from it', async () => {
  expect(await check('3.17.2', 200)).toMatch(/^ok: traces go to MLflow 3\.17\.2/);
  expect(await check('4.0.0', 200)).toMatch(/^ok/);
  expect(await check('3.9.0', 200)).toMatch(/^problem: MLFLOW_TRACKING_URI/);
  expect(await check('<html>', 200)).toMatch(/^problem: MLFLOW_TRACKING_URI/);
  expect(await check('3.17.2', 404)).toMatch(/^problem: MLFLOW_EXPERIMENT_ID/);
  expect(await check('3.17.2', 403)).toMatch(/^problem: MLFLOW_TRACKING_TOKEN/);
  expect(await check('3.17.2', 500)).toMatch(/^note/);
});

test('a server that is not there is a problem; none at all is none', async () => {
  const away = parseConfig({ MLFLOW_TRACKING_URI: 'http://127.0.0.1:9' }, '/');
  expect((await checkTraces(away))?.text).toMatch(/^MLFLOW_TRACKING_URI: .* does not answer/);
  const half = parseConfig({ MLFLOW_TRACKING_URI: 'databricks' }, '/');
  expect((await checkTraces(half))?.text).toMatch(/^MLFLOW_TRACKING_URI: /);
  expect(await checkTraces(parseConfig({}, '/'))).toBeNull();
});
