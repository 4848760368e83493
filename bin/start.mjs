// `npm start`, `npm run dev`, `start:app`, `start:worker`. Plain JavaScript: it runs before anything is installed.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail } from './bootstrap.mjs';
import { root } from './root.mjs';

const [mode = 'all', ...rest] = process.argv.slice(2);
if (!['all', 'app', 'worker', 'dev'].includes(mode) || rest.length > 0) {
  fail('usage: node bin/start.mjs [app | worker | dev]', 2);
}

await bootstrap({ dev: mode === 'dev' });
const { ensureBuilt } = await import('./build.mjs');
try {
  await ensureBuilt({ app: mode === 'all' || mode === 'app' });
} catch (error) {
  fail(error.message);
}
const bundle = mode === 'app' || mode === 'worker' ? 'alone' : 'supervisor';
await import(pathToFileURL(path.join(root, 'dist', `${bundle}.mjs`)).href);
