import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { PatientPool } from './patient-pool';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A door to the server that can be shut. */
async function openDoor() {
  const { port } = new URL(database.url);
  const server = net.createServer((inside) => {
    const outside = net.connect(Number(port), '127.0.0.1');
    inside.pipe(outside).pipe(inside);
    inside.on('error', () => outside.destroy());
    outside.on('error', () => inside.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database.url);
  url.port = String((server.address() as net.AddressInfo).port);
  return { server, url: url.href, port: Number(url.port) };
}

it('waits for a server that is away and comes back', async () => {
  const { server, url, port } = await openDoor();
  server.close();
  await once(server, 'close');
  const pool = new PatientPool({ connectionString: url }, { onRefused: undefined });
  const asked = pool.query('select 1 as one');
  const back = net.createServer((inside) => {
    const outside = net.connect(Number(new URL(database.url).port), '127.0.0.1');
    inside.pipe(outside).pipe(inside);
  });
  back.listen(port, '127.0.0.1');
  expect((await asked).rows).toEqual([{ one: 1 }]);
  await pool.end();
  back.close();
});

it('gives up after its patience, with the server’s own words', async () => {
  const { server, url } = await openDoor();
  server.close();
  await once(server, 'close');
  const pool = new PatientPool({ connectionString: url }, { onRefused: undefined, forMs: 300 });
  await expect(pool.query('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await pool.end();
});

it('waits for room where the server takes no more connections', async () => {
  const role = 'only_one';
  await database.db.$client.query(`create role ${role} login password 'x' connection limit 1`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'x';
  const holder = new pg.Client({ connectionString: url.href });
  await holder.connect();
  const pool = new PatientPool({ connectionString: url.href }, { onRefused: undefined });
  const refused = new PatientPool({ connectionString: url.href }, { onRefused: undefined, forMs: 0 });
  await expect(refused.query('select 1')).rejects.toMatchObject({ code: '53300' });
  const asked = pool.query('select 1 as one');
  await holder.end();
  expect((await asked).rows).toEqual([{ one: 1 }]);
  await Promise.all([pool.end(), refused.end()]);
  await database.db.$client.query(`drop role ${role}`);
});

it('does not try a statement again that may have been carried out', async () => {
  const pool = new PatientPool({ connectionString: database.url }, { onRefused: undefined });
  await pool.query('create sequence tries');
  await expect(
    pool.query("select nextval('tries'); select pg_terminate_backend(pg_backend_pid())"),
  ).rejects.toThrow();
  expect((await pool.query('select last_value::int as n from tries')).rows).toEqual([{ n: 1 }]);
  await pool.end();
});
