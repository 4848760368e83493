import { expect, test } from 'vitest';
import { ConfigError, Environment, parseConfig } from './schema';

test('with nothing set everything has a default, on loopback', () => {
  const config = parseConfig({}, '/srv/app');
  expect(config).toMatchObject({
    platform: 'embedded',
    host: '127.0.0.1',
    port: 3000,
    home: '/srv/app/.tickmark',
    url: 'http://127.0.0.1:3000',
    ceilings: { maxConcurrentTasks: null, maxTpm: null },
    leaseSeconds: 15,
    maxFileBytes: 100 * 1024 * 1024,
    maxPages: 2000,
  });
});

test('an empty variable counts as unset', () => {
  expect(parseConfig({ PORT: '', MAX_TPM: '', DATABASE_URL: '' }, '/').port).toBe(3000);
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['MAX_CONCURRENT_TASKS', '0'],
  ['MAX_TPM', '1.5'],
  ['LEASE_SECONDS', '-1'],
  ['DATABASE_URL', 'mysql://x'],
  ['TICKMARK_URL', 'ftp://x'],
  ['TICKMARK_PLATFORM', 'cloud'],
  ['WEBHOOK_SECRET', 'short'],
  ['TICKMARK_ADMIN_TOKEN', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_POOL_SIZE', '1'],
  ['DATABRICKS_HOST', 'http://workspace.example.com'],
  ['DATABRICKS_HOST', 'https://'],
  ['TICKMARK_JOB_ID', '12345678901234567890'],
  ['TICKMARK_JOB_ID', '1e3'],
  ['TICKMARK_VOLUME', '/Volumes/main/documents'],
  ['LAKEBASE_ENDPOINT', 'ep-1234'],
  ['PGSSLMODE', 'off'],
  ['TICKMARK_VOLUMES_ROOT', 'mounted'],
])('a wrong %s (%s) is refused with its name', (name, value) => {
  expect(() => parseConfig({ [name]: value }, '/')).toThrow(ConfigError);
  expect(() => parseConfig({ [name]: value }, '/')).toThrow(name);
});

test('every variable that can be wrong says in plain words what it needs', () => {
  const silent: string[] = [];
  for (const name of Object.keys(Environment.shape)) {
    for (const value of ['x', '-1', '1e99', '1.5']) {
      try {
        parseConfig({ [name]: value }, '/');
      } catch (cause) {
        const message = (cause as Error).message;
        if (/invalid|expected|too (big|small)|NaN/i.test(message)) silent.push(message);
      }
    }
  }
  expect(silent).toEqual([]);
  expect(() => parseConfig({ PORT: 'abc', MAX_TPM: '0' }, '/')).toThrow(
    'PORT: needs a whole number from 1 to 65535\nMAX_TPM: needs a whole number from 1 to 2000000000',
  );
});

test('an address that others can reach needs a real sign-in', () => {
  expect(() => parseConfig({ HOST: '0.0.0.0' }, '/')).toThrow(/HOST/);
  const oidc = {
    AUTH_OIDC_ISSUER: 'https://id.example.com',
    AUTH_OIDC_CLIENT_ID: 'tickmark',
    AUTH_OIDC_CLIENT_SECRET: 'secret',
  };
  expect(parseConfig({ HOST: '0.0.0.0', ...oidc }, '/').oidc?.issuer).toBe('https://id.example.com');
  expect(() => parseConfig({ AUTH_OIDC_ISSUER: 'https://id.example.com' }, '/')).toThrow(/all three/);
});

test('a model endpoint needs the name of the model', () => {
  expect(() => parseConfig({ MODEL_BASE_URL: 'http://localhost:1/v1' }, '/')).toThrow(/MODEL_NAME/);
});
