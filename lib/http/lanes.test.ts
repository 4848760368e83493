import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { putLanes } from './lanes';

test('a method that the framework can not carry is refused before it, and others pass', async () => {
  const server = createServer((_, response) => response.writeHead(200).end());
  putLanes(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const statusOf = async (method: string) => {
    const asked = request({ host: '127.0.0.1', port, method, path: '/api/v1/tasks' }).end();
    const [response] = await once(asked, 'response');
    response.resume();
    return response.statusCode;
  };
  expect(await statusOf('TRACE')).toBe(405);
  expect(await statusOf('GET')).toBe(200);
  server.close();
});
