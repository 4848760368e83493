import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ALL_GRANTS, type Grant } from '@/e2e/workspace/identities';
import { tickmarkJob } from '@/e2e/workspace/tickmark-job';
import { startWorkspace, type Workspace } from '@/e2e/workspace/workspace';
import { parseConfig } from '@/lib/config/schema';
import { createWorkspaceClient, type WorkspaceClient } from '@/lib/databricks/workspace-client';
import { createLogger } from '@/lib/log';
import { DATABRICKS_ENVIRONMENT } from '@/test/databricks-environment';
import { checkWorkspace } from './check-workspace';

let workspace: Workspace;
let client: WorkspaceClient;
beforeAll(async () => {
  workspace = await startWorkspace({ job: tickmarkJob() });
  client = clientWith(workspace.clientSecret);
});
afterEach(() => {
  for (const grant of ALL_GRANTS) workspace.app.grants.add(grant);
});
afterAll(async () => {
  await client.close();
  await workspace.stop();
});

function clientWith(clientSecret: string): WorkspaceClient {
  const { host, clientId } = workspace;
  return createWorkspaceClient({ host, clientId, clientSecret, log: createLogger('test', 'silent') });
}

async function problems(asked = client): Promise<string[]> {
  const config = parseConfig(
    {
      ...DATABRICKS_ENVIRONMENT,
      ...workspace.env(),
      DATABRICKS_APP_NAME: '',
      TICKMARK_PLATFORM: 'databricks',
      MODEL_NAME: workspace.settings.endpoint,
    },
    '/',
  );
  const findings = await checkWorkspace(config, asked);
  return findings.filter(({ level }) => level === 'problem').map(({ text }) => text);
}

describe('M28: the doctor on Databricks', () => {
  test('finds nothing where everything is granted, and leaves nothing behind', async () => {
    expect(await problems()).toEqual([]);
  });

  test.each<[Grant, RegExp]>([
    ['volume:WRITE_VOLUME', /^TICKMARK_VOLUME: grant READ VOLUME and WRITE VOLUME/],
    ['volume:READ_VOLUME', /^TICKMARK_VOLUME: grant READ VOLUME and WRITE VOLUME/],
    ['job:CAN_MANAGE_RUN', /^TICKMARK_JOB_ID: grant CAN_MANAGE_RUN/],
    ['warehouse:CAN_USE', /^DATABRICKS_WAREHOUSE_ID: grant CAN_USE/],
    ['system.billing:SELECT', /^grant USE SCHEMA and SELECT on system\.billing/],
    ['endpoint:CAN_QUERY', /^MODEL_NAME: grant CAN_QUERY/],
    ['experiment:CAN_EDIT', /^MLFLOW_EXPERIMENT_ID: grant CAN_EDIT/],
  ])('names the missing grant %s and says what to do', async (grant, advice) => {
    workspace.app.grants.delete(grant);
    const found = await problems();
    expect(found.filter((text) => advice.test(text))).toHaveLength(1);
  });

  test('says one thing alone where the secret is wrong', async () => {
    const stranger = clientWith('wrong');
    const found = await problems(stranger);
    await stranger.close();
    expect(found).toEqual([expect.stringMatching(/DATABRICKS_CLIENT_SECRET/)]);
  });
});
