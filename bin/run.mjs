// Every other npm script: `node bin/run.mjs NAME [arguments]`. Plain JavaScript: it runs before anything is installed.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail } from './bootstrap.mjs';
import { root } from './root.mjs';

const BUNDLES = [
  'extract',
  'callback',
  'doctor',
  'eval',
  'drill',
  'example',
  'generate',
  'rebuild-figures',
  'roles',
  'db-adopt',
  'db-grant',
  'db-mask',
  'db-migrate',
  'db-url',
];
const name = process.argv[2] ?? '';

if (BUNDLES.includes(name)) {
  await bootstrap();
  await build({ app: false });
  // The bundle reads its own arguments as if it had been called by name.
  process.argv.splice(1, 2, path.join(root, 'dist', `${name}.mjs`));
  await import(pathToFileURL(process.argv[1]).href);
} else if (name === 'bench') {
  await bootstrap({ dev: true });
  await build({ app: false });
  await prepareBench();
  process.argv.splice(1, 2, path.join(root, 'dist', 'bench.mjs'));
  await import(pathToFileURL(process.argv[1]).href);
} else if (name === 'build') {
  await bootstrap();
  await build({ app: process.argv[3] !== 'bundles', quiet: false });
} else if (name === 'pack-agent') {
  await bootstrap();
  const { packAgent } = await import('./pack-agent.mjs');
  try {
    for (const part of await packAgent()) process.stderr.write(`${part}\n`);
  } catch (error) {
    fail(error.message);
  }
} else if (name === 'test' || name === 'check') {
  await bootstrap({ dev: true });
  await import('./test.mjs');
} else if (name === 'db-generate') {
  await bootstrap({ dev: true });
  const kit = path.join(root, 'node_modules', 'drizzle-kit', 'bin.cjs');
  const args = [kit, 'generate', ...process.argv.slice(3)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  child.once('close', (code) => process.exit(code ?? 1));
} else {
  fail(
    `usage: node bin/run.mjs ${[...BUNDLES, 'bench', 'build', 'pack-agent', 'test', 'check', 'db-generate'].join(' | ')}`,
    2,
  );
}

async function build(options) {
  const { ensureBuilt } = await import('./build.mjs');
  try {
    await ensureBuilt(options);
  } catch (error) {
    fail(error.message);
  }
}

/** What the queue is measured against has packages of its own, which nothing else needs and nothing else checks. */
async function prepareBench() {
  const { ensureInstalled } = await import('./install.mjs');
  try {
    await ensureInstalled({ dev: false, folder: path.join(root, 'bench') });
  } catch (error) {
    fail(error.message);
  }
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [compiler, '--noEmit', '-p', 'bench'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) fail('the types of the bench are not right (see above)');
}
