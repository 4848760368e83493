import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LakebaseSettings } from '@/lib/config/databricks-settings';
import { createDb, type Db } from '@/lib/db/client';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { databaseCredentialsConformance } from '@/test/database-credentials';
import { type CredentialApi, createLakebaseCredentials, lakebaseUrl } from './databricks';

const ENDPOINT = 'projects/tickmark/branches/production/endpoints/primary';
const HOUR_MS = 3_600_000;

/** A role of the test's server that takes the newest token alone, and the call that gives it one. */
class RotatingRole {
  readonly name = `sp_${randomBytes(6).toString('hex')}`;
  calls = 0;
  lifeMs = HOUR_MS;
  fails: Error | undefined;
  #token = 'none yet';

  constructor(private readonly database: TestDatabase) {}

  async open(): Promise<void> {
    await this.database.db.$client.query(`create role ${this.name} login password '${this.#token}'`);
  }
  async close(): Promise<void> {
    await this.database.db.$client.query(`drop role ${this.name}`);
    await this.database.close();
  }
  /** Its password is a token that nobody has been given. */
  async rotate(): Promise<void> {
    this.#token = randomBytes(16).toString('hex');
    await this.database.db.$client.query(`alter role ${this.name} password '${this.#token}'`);
  }
  get settings(): LakebaseSettings {
    const { hostname, port, pathname } = new URL(this.database.url);
    return {
      host: hostname,
      port: Number(port),
      database: pathname.slice(1),
      user: this.name,
      tls: false,
      endpoint: ENDPOINT,
      instance: undefined,
    };
  }
  readonly api: CredentialApi = {
    json: async (request) => {
      expect(request).toMatchObject({ path: '/api/2.0/postgres/credentials', json: { endpoint: ENDPOINT } });
      this.calls += 1;
      if (this.fails) throw this.fails;
      await this.rotate();
      return { token: this.#token, expire_time: new Date(Date.now() + this.lifeMs).toISOString() };
    },
  };
}

databaseCredentialsConformance('Lakebase', async () => {
  const role = new RotatingRole(await createTestDatabase());
  await role.open();
  return {
    credentials: createLakebaseCredentials(role.api, role.settings),
    expire: () => role.rotate(),
    close: () => role.close(),
  };
});

describe('M27: a Lakebase password', () => {
  let role: RotatingRole;
  let db: Db | undefined;
  beforeEach(async () => {
    role = new RotatingRole(await createTestDatabase());
    await role.open();
  });
  afterEach(async () => {
    await db?.$client.end();
    db = undefined;
    await role.close();
  });

  it('is got once for all who ask at the same time, and kept until shortly before it ends', async () => {
    let now = Date.now();
    const { password } = createLakebaseCredentials(role.api, role.settings, () => now);
    const [first] = await Promise.all([password?.(), password?.(), password?.()]);
    expect(await password?.()).toBe(first);
    expect(role.calls).toBe(1);
    now += HOUR_MS - 119_000;
    expect(await password?.()).not.toBe(first);
    expect(role.calls).toBe(2);
  });

  it('that lives for half a minute is used for most of it', async () => {
    let now = Date.now();
    role.lifeMs = 30_000;
    const { password } = createLakebaseCredentials(role.api, role.settings, () => now);
    await password?.();
    now += 20_000;
    await password?.();
    expect(role.calls).toBe(1);
    now += 5_000;
    await password?.();
    expect(role.calls).toBe(2);
  });

  it('that is refused again and again is not asked for for ever', async () => {
    const refusing: CredentialApi = {
      json: async () => {
        role.calls += 1;
        return { token: 'wrong', expire_time: new Date(Date.now() + HOUR_MS).toISOString() };
      },
    };
    const credentials = createLakebaseCredentials(refusing, role.settings);
    db = createDb(credentials, { applicationName: 'test', max: 2 });
    await expect(db.$client.query('select 1')).rejects.toMatchObject({ code: '28P01' });
    expect(role.calls).toBe(3);
  });

  it('that can’t be got is told with its cause', async () => {
    role.fails = new Error('403 PERMISSION_DENIED');
    db = createDb(createLakebaseCredentials(role.api, role.settings), { applicationName: 'test' });
    await expect(db.$client.query('select 1')).rejects.toThrow('403 PERMISSION_DENIED');
    role.fails = undefined;
    expect((await db.$client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('of a provisioned instance is got by its own call, whose answer names the end otherwise', async () => {
    const asked: unknown[] = [];
    const api: CredentialApi = {
      json: async (request) => {
        asked.push(request);
        return { token: 't', expiration_time: new Date(Date.now() + HOUR_MS).toISOString() };
      },
    };
    const settings = { ...role.settings, endpoint: undefined, instance: 'tickmark' };
    const { password } = createLakebaseCredentials(api, settings);
    expect(await password?.()).toBe('t');
    expect(await password?.()).toBe('t');
    expect(asked).toEqual([
      expect.objectContaining({
        path: '/api/2.0/database/credentials',
        json: { instance_names: ['tickmark'], request_id: expect.any(String) },
      }),
    ]);
  });
});

it('the address asks for a checked certificate wherever there is TLS', () => {
  const settings: LakebaseSettings = {
    host: 'ep-1.database.example.com',
    port: 5432,
    database: 'tickmark',
    user: 'a@b',
    tls: true,
    endpoint: ENDPOINT,
    instance: undefined,
  };
  expect(lakebaseUrl(settings)).toBe(
    'postgres://a%40b@ep-1.database.example.com:5432/tickmark?sslmode=verify-full',
  );
});
