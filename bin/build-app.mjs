import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { processIdentity } from './file-lock.mjs';
import { root } from './root.mjs';

const dist = path.join(root, 'dist');
const pointer = path.join(dist, '.app');
const USED_BY = '.used-by-';

/** Folder of the built app with its `server.js`, or null when there is none. */
export function currentApp() {
  try {
    const folder = path.join(dist, readFileSync(pointer, 'utf8'));
    return existsSync(path.join(folder, 'server.js')) ? folder : null;
  } catch {
    return null;
  }
}

/**
 * `next build`, completed with its static files, in a folder of its own: a running server goes on reading its own
 * build while the next one is made.
 * @param {{ quiet: boolean }} options quiet: Next's own words only when it fails
 */
export async function buildApp(hash, { quiet }) {
  await runNext(['build'], { quiet });
  const standalone = path.join(root, '.next', 'standalone');
  cpSync(path.join(root, '.next', 'static'), path.join(standalone, '.next', 'static'), { recursive: true });
  if (existsSync(path.join(root, 'public'))) {
    cpSync(path.join(root, 'public'), path.join(standalone, 'public'), { recursive: true });
  }
  const name = `app-${hash.slice(0, 12)}-${Date.now().toString(36)}`;
  renameSync(standalone, path.join(dist, name));
  writeFileSync(`${pointer}.new`, name);
  renameSync(`${pointer}.new`, pointer);
  removeOld(name);
}

async function runNext(args, { quiet }) {
  const next = path.join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const child = spawn(process.execPath, [next, ...args], {
    cwd: root,
    stdio: ['ignore', quiet ? 'pipe' : 2, quiet ? 'pipe' : 2],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const stop = (signal) => child.kill(signal);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { code, signal } = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, endSignal) => resolve({ code: exitCode, signal: endSignal }));
  });
  process.off('SIGINT', stop).off('SIGTERM', stop);
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Error(
    signal
      ? `next ${args.join(' ')} was stopped (${signal})`
      : `next ${args.join(' ')} failed (it says why above)`,
  );
}

/** Notes that this process serves a build, so that later builds leave it alone. */
export function markInUse(folder) {
  try {
    writeFileSync(path.join(folder, `${USED_BY}${process.pid}`), processIdentity(process.pid) ?? '');
  } catch (error) {
    // Where we can't write, nobody builds under our account either.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

function removeOld(current) {
  for (const name of readdirSync(dist)) {
    const folder = path.join(dist, name);
    if (name.startsWith('app-') && name !== current && !isInUse(folder))
      rmSync(folder, { recursive: true, force: true });
  }
}

function isInUse(folder) {
  return readdirSync(folder)
    .filter((name) => name.startsWith(USED_BY))
    .some(
      (name) =>
        processIdentity(Number(name.slice(USED_BY.length))) === readFileSync(path.join(folder, name), 'utf8'),
    );
}
