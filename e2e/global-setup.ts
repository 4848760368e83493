import { chmod, cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTestHome } from '../test/leftovers';
import { startOnDatabricks } from './databricks';
import { e2ePort } from './instance';
import { onDatabricks } from './platform';
import { startApp, stopApp } from './start-app';

const EXAMPLE = fileURLToPath(new URL('../examples/python-agent', import.meta.url));

/**
 * Starts the production build on a port and a data folder of its own; resolves to what stops it. While specs are
 * written, TICKMARK_E2E_HOME names the data folder of a Tickmark that runs already and goes on running.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (onDatabricks) {
    const { stop } = await startOnDatabricks();
    return stop;
  }
  if (process.env.TICKMARK_E2E_HOME) return async () => {};
  const home = await mkdtemp(path.join(tmpdir(), 'tickmark-e2e-'));
  const child = await startApp({
    PORT: String(await e2ePort()),
    TICKMARK_HOME: home,
    TICKMARK_AGENTS_FILE: await copyPythonAgent(home),
  });
  process.env.TICKMARK_E2E_HOME = home;
  return async () => {
    await stopApp(child);
    if (process.env.TICKMARK_E2E_KEEP) return;
    await removeTestHome(home);
  };
}

/** The example agent, from a copy: a checkout may belong to somebody else, and then its file of agents is refused. */
async function copyPythonAgent(home: string): Promise<string> {
  const folder = path.join(home, 'python-agent');
  await cp(EXAMPLE, folder, { recursive: true });
  const file = path.join(folder, 'agents.json');
  await chmod(file, 0o644);
  return file;
}
