import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { putLanes } from './lanes';

async function serve(): Promise<{ server: Server; port: number }> {
  const server = createServer((_, response) => response.writeHead(200).end());
  putLanes(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function ask(port: number, method: string, path: string): Promise<IncomingMessage> {
  const asked = request({ host: '127.0.0.1', port, method, path }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

test('a method that the framework can not carry is refused before it, and others pass', async () => {
  const { server, port } = await serve();
  expect((await ask(port, 'TRACE', '/api/v1/tasks').then(drained)).statusCode).toBe(405);
  expect((await ask(port, 'GET', '/api/v1/tasks').then(drained)).statusCode).toBe(200);
  server.close();
});

test.each(['/api/v1/tasks/%ff', '/api/v1/tasks/%', '/api/%E0%A4%A/x?q=1'])(
  'invariant 9: an address that can not be decoded (%s) is refused as every bad request is',
  async (path) => {
    const { server, port } = await serve();
    const response = await ask(port, 'GET', path);
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(await json(response)).toMatchObject({ status: 400, code: 'bad_request' });
    server.close();
  },
);

test('a query that can not be decoded, and a page, are left to those who read them', async () => {
  const { server, port } = await serve();
  expect((await ask(port, 'GET', '/api/v1/tasks?q=%ff').then(drained)).statusCode).toBe(200);
  expect((await ask(port, 'GET', '/tasks/%ff').then(drained)).statusCode).toBe(200);
  server.close();
});

test('a document may take longer to arrive than Node would wait', async () => {
  const { server } = await serve();
  expect(server.requestTimeout).toBeGreaterThanOrEqual(3_600_000);
  server.close();
});

function drained(response: IncomingMessage): IncomingMessage {
  return response.resume();
}
