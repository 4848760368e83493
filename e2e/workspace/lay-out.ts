import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Principal } from './identities';
import { makeSitePackages } from './site-packages';
import { SECRET_SCOPE } from './tickmark-job';

/**
 * Makes the folders of a workspace and says what a serverless task has as its environment: nothing of this machine's
 * settings, no credential.
 */
export async function layOut(
  home: string,
  agent: Principal,
  { volume, bundle }: { readonly volume: string; readonly bundle: Readonly<Record<string, string>> },
): Promise<Record<string, string>> {
  await mkdir(path.join(home, volume), { recursive: true });
  for (const [target, source] of Object.entries(bundle)) {
    await cp(source, path.join(home, 'bundle', target), { recursive: true });
  }
  const scratch = path.join(home, 'tmp');
  await mkdir(scratch);
  const secretsFile = path.join(home, 'secrets.json');
  const scopes = { [SECRET_SCOPE]: { 'client-id': agent.name, 'client-secret': agent.secret } };
  await writeFile(secretsFile, JSON.stringify(scopes), { mode: 0o600 });
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    DATABRICKS_RUNTIME_VERSION: 'client.4.9',
    PYTHONPATH: await makeSitePackages(home, secretsFile),
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
