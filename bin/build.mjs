import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildApp, currentApp } from './build-app.mjs';
import { buildBundles } from './build-bundles.mjs';
import { waitForLock } from './file-lock.mjs';
import { root } from './root.mjs';
import { hashSources } from './source-hash.mjs';

const dist = path.join(root, 'dist');
const say = (line) => process.stderr.write(`${line}\n`);

const BUNDLED = [
  'lib',
  'worker',
  'agent',
  'bin',
  'bench',
  'examples',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
const SERVED = [
  'app',
  'lib',
  'public',
  'instrumentation.ts',
  'proxy.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'bin/build-app.mjs',
];

/**
 * Builds what is older than its sources; needs no secret and no database. All output goes to stderr.
 * @param {{ app?: boolean, quiet?: boolean }} options app: the web app as well, not only the bundles in dist/;
 *   quiet: what Next says only when it fails
 */
export async function ensureBuilt({ app = true, quiet = true } = {}) {
  if (isCurrent('bundles') && (!app || isCurrent('app'))) return;
  mkdirSync(dist, { recursive: true });
  const release = await waitForLock(path.join(dist, '.build.lock'), (pid) =>
    say(`waiting for another build (process ${pid})`),
  );
  try {
    if (!isCurrent('bundles')) await step('bundles', () => buildBundles());
    if (app && !isCurrent('app')) {
      await step('app', async () => {
        copyPdfViewer();
        await buildApp(hash('app'), { quiet });
      });
    }
  } finally {
    release();
  }
}

async function step(name, build) {
  // Of the sources as they were before: a change during the build must lead to another one.
  const built = hash(name);
  const started = Date.now();
  say(`building the ${name}`);
  rmSync(stampFile(name), { force: true });
  await build();
  writeFileSync(stampFile(name), built);
  say(`built the ${name} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function isCurrent(name) {
  if (name === 'app' && !currentApp()) return false;
  try {
    return readFileSync(stampFile(name), 'utf8') === hash(name);
  } catch {
    return false;
  }
}

function hash(name) {
  return name === 'app'
    ? hashSources([...SERVED, 'package-lock.json', 'tsconfig.json'])
    : hashSources(BUNDLED);
}

function stampFile(name) {
  return path.join(dist, `.${name}.stamp`);
}

/** The viewer's worker, fonts, character maps and wasm: served by ourselves, since nothing is fetched from elsewhere. */
export function copyPdfViewer() {
  const from = path.join(root, 'node_modules', 'pdfjs-dist');
  const to = path.join(root, 'public', 'pdfjs');
  if (
    existsSync(path.join(to, 'version')) &&
    readFileSync(path.join(to, 'version'), 'utf8') === version(from)
  )
    return;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of ['pdf.worker.min.mjs', 'pdf.worker.mjs']) {
    cpSync(path.join(from, 'build', name), path.join(to, name));
  }
  for (const name of ['cmaps', 'standard_fonts', 'wasm', 'iccs']) {
    cpSync(path.join(from, name), path.join(to, name), { recursive: true });
  }
  writeFileSync(path.join(to, 'version'), version(from));
}

function version(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
}
