// `npm start`, `npm run dev`, `start:app`, `start:worker`. Plain JavaScript: it runs before anything is installed.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail } from './bootstrap.mjs';
import { processIdentity } from './file-lock.mjs';
import { root } from './root.mjs';

const [mode = 'all', ...rest] = process.argv.slice(2);
if (!['all', 'app', 'worker', 'dev'].includes(mode) || rest.length > 0) {
  fail('usage: node bin/start.mjs [app | worker | dev]', 2);
}

if (mode === 'all' || mode === 'dev') refuseSecondStart();
await bootstrap({ dev: mode === 'dev' });
const { ensureBuilt } = await import('./build.mjs');
try {
  await ensureBuilt({ app: mode === 'all' || mode === 'app' });
} catch (error) {
  fail(error.message);
}
const bundle = mode === 'app' || mode === 'worker' ? 'alone' : 'supervisor';
await import(pathToFileURL(path.join(root, 'dist', `${bundle}.mjs`)).href);

// The supervisor makes sure of it; this only spares a second start the build, and the first one its effects.
function refuseSecondStart() {
  const home = path.resolve(process.env.TICKMARK_HOME || '.tickmark');
  let instance;
  try {
    instance = JSON.parse(readFileSync(path.join(home, 'instance.json'), 'utf8'));
  } catch {
    return;
  }
  if (instance.state !== 'ready' || processIdentity(instance.pid) !== instance.identity) return;
  fail(`already running at ${instance.url} (process ${instance.pid}, data folder ${home})`, 3);
}
