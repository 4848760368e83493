import { expect, test } from 'vitest';
import { DATABRICKS_ENVIRONMENT as INJECTED } from '@/test/databricks-environment';
import { parseConfig } from './schema';

test('M35: what a Databricks App is given is enough, and the platform is found by itself', () => {
  expect(parseConfig({ ...INJECTED, PORT: '1' }, '/')).toMatchObject({
    platform: 'databricks',
    host: '0.0.0.0',
    port: 8000,
    leaseSeconds: 90,
    model: {
      baseUrl: 'https://dbc-1234.cloud.databricks.com/serving-endpoints',
      apiKey: undefined,
      name: 'a-model',
    },
    mlflow: { trackingUri: 'databricks', experimentId: '42' },
    databricks: {
      host: 'https://dbc-1234.cloud.databricks.com',
      appName: 'tickmark',
      workspaceId: '9007199254740993',
      volume: '/Volumes/main/tickmark/documents',
      volumesRoot: '/Volumes',
      jobId: '9007199254740993',
      warehouseId: '1234abcd',
      lakebase: {
        host: 'ep-cool-fog.database.eu-west-1.cloud.databricks.com',
        port: 5432,
        user: '0b7c2a4e-0000-4000-8000-000000000001',
        tls: true,
        endpoint: 'projects/tickmark/branches/production/endpoints/primary',
        instance: undefined,
      },
      admins: [],
    },
  });
});

test.each([
  'DATABRICKS_HOST',
  'DATABRICKS_CLIENT_ID',
  'DATABRICKS_CLIENT_SECRET',
  'PGHOST',
  'PGDATABASE',
  'LAKEBASE_ENDPOINT',
  'TICKMARK_VOLUME',
  'TICKMARK_JOB_ID',
  'WEBHOOK_SECRET',
  'AUTH_SECRET',
])('without %s the start is refused with what to do about it', (name) => {
  expect(() => parseConfig({ ...INJECTED, [name]: '' }, '/')).toThrow(
    new RegExp(`^${name}: needed on Databricks`),
  );
});

test('all that is missing is named at once', () => {
  const message = (() => {
    try {
      parseConfig({ DATABRICKS_APP_NAME: 'tickmark' }, '/');
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(message?.split('\n').map((line) => line.split(':')[0])).toEqual([
    'DATABRICKS_HOST',
    'DATABRICKS_CLIENT_ID',
    'DATABRICKS_CLIENT_SECRET',
    'PGHOST',
    'PGDATABASE',
    'PGUSER',
    'LAKEBASE_ENDPOINT',
    'TICKMARK_VOLUME',
    'TICKMARK_JOB_ID',
    'WEBHOOK_SECRET',
    'AUTH_SECRET',
  ]);
});

test('warehouse, experiment and model may be missing', () => {
  const { DATABRICKS_WAREHOUSE_ID: _, MLFLOW_TRACKING_URI: __, MODEL_NAME: ___, ...rest } = INJECTED;
  expect(parseConfig(rest, '/')).toMatchObject({
    mlflow: undefined,
    model: undefined,
    databricks: { warehouseId: undefined },
  });
});

test('another database, or a provisioned instance, takes the place of a Lakebase endpoint', () => {
  const { PGHOST: _, PGDATABASE: __, PGUSER: ___, LAKEBASE_ENDPOINT: ____, ...rest } = INJECTED;
  const url = 'postgres://tickmark:secret@db.example.com:5432/tickmark';
  expect(parseConfig({ ...rest, DATABASE_URL: url }, '/').databricks?.lakebase).toBeUndefined();
  const { LAKEBASE_ENDPOINT: _____, ...provisioned } = INJECTED;
  expect(
    parseConfig({ ...provisioned, LAKEBASE_INSTANCE: 'tickmark' }, '/').databricks?.lakebase,
  ).toMatchObject({ instance: 'tickmark', endpoint: undefined });
});

test.each([
  ['dbc-1.cloud.databricks.com', 'https://dbc-1.cloud.databricks.com'],
  ['https://dbc-1.cloud.databricks.com/', 'https://dbc-1.cloud.databricks.com'],
  ['https://adb-1.2.azuredatabricks.net/?o=1', 'https://adb-1.2.azuredatabricks.net'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
])('the workspace may be given as %s', (given, origin) => {
  expect(parseConfig({ ...INJECTED, DATABRICKS_HOST: given }, '/').databricks?.host).toBe(origin);
});

test('M27: a certificate is checked whatever PGSSLMODE asks for, except by a server on this machine', () => {
  const tls = (changed: Record<string, string>) =>
    parseConfig({ ...INJECTED, ...changed }, '/').databricks?.lakebase?.tls;
  expect(tls({ PGSSLMODE: 'disable' })).toBe(true);
  expect(tls({ PGSSLMODE: 'prefer' })).toBe(true);
  expect(tls({ PGSSLMODE: 'disable', PGHOST: '127.0.0.1' })).toBe(false);
  expect(tls({ PGSSLMODE: 'require', PGHOST: '127.0.0.1' })).toBe(true);
});

test('names of people and groups are separated by commas', () => {
  const given = {
    ...INJECTED,
    TICKMARK_ADMINS: 'a@example.com, b@example.com,',
    TICKMARK_ADMIN_GROUPS: 'x y',
  };
  expect(parseConfig(given, '/').databricks).toMatchObject({
    admins: ['a@example.com', 'b@example.com'],
    adminGroups: ['x y'],
    operatorGroups: ['tickmark-operator'],
  });
});

test('outside Databricks its variables change nothing', () => {
  const { DATABRICKS_APP_NAME: _, DATABRICKS_APP_PORT: __, MODEL_NAME: ___, ...rest } = INJECTED;
  expect(parseConfig(rest, '/')).toMatchObject({
    platform: 'embedded',
    host: '127.0.0.1',
    databricks: undefined,
    model: undefined,
  });
});
