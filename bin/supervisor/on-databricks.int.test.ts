import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { tickmarkJob } from '@/e2e/workspace/tickmark-job';
import { startWorkspace, type Workspace } from '@/e2e/workspace/workspace';
import { DATABRICKS_ENVIRONMENT } from '@/test/databricks-environment';
import { SELF_SIGNED } from '@/test/self-signed';
import { makeStubCheckout, type StubCheckout } from '@/test/stub-checkout';
import { withDatabase } from '@/test/template';
import { freePort } from './ports';

let workspace: Workspace;
let checkout: StubCheckout;
const database = `lakebase_${randomBytes(6).toString('hex')}`;
beforeAll(async () => {
  workspace = await startWorkspace({
    job: tickmarkJob(),
    lakebase: { superuserUrl: inject('serverUrl'), database, certificate: SELF_SIGNED },
  });
  checkout = await makeStubCheckout();
});
afterAll(async () => {
  await checkout.remove();
  await workspace.stop();
  const client = await onServer('postgres');
  await client.query(`drop database ${database}`);
  await client.query(`drop role "${workspace.clientId}"`);
  await client.end();
});

async function onServer(name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: withDatabase(inject('serverUrl'), name) });
  await client.connect();
  return client;
}

test('M35: with nothing but what the platform gives, a start migrates as the app’s service principal and is ready', async () => {
  const { WEBHOOK_SECRET, AUTH_SECRET } = DATABRICKS_ENVIRONMENT;
  const certificate = path.join(checkout.home, '..', 'workspace.pem');
  await writeFile(certificate, SELF_SIGNED.cert);
  const running = checkout.start({
    ...{ WEBHOOK_SECRET, AUTH_SECRET },
    ...workspace.env(),
    MODEL_NAME: workspace.settings.endpoint,
    DATABRICKS_APP_PORT: String(await freePort()),
    TICKMARK_URL: 'http://127.0.0.1:4321',
    NODE_EXTRA_CA_CERTS: certificate,
  });
  expect(await running.ready).toBe('Tickmark is ready: http://127.0.0.1:4321');
  const client = await onServer(database);
  const { rows } = await client.query(
    `select pg_get_userbyid(nspowner) as owner from pg_namespace where nspname = 'tickmark'`,
  );
  await client.end();
  expect(rows).toEqual([{ owner: workspace.clientId }]);
  // It has a model of the workspace, so none of its own.
  expect(await checkout.pidOf('model')).toBeUndefined();
  running.process.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});
