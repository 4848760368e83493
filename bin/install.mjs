// Plain JavaScript without dependencies: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { waitForLock } from './file-lock.mjs';
import { root } from './root.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

/**
 * Installs the packages of package-lock.json unless they are there.
 * @param {{ dev: boolean, folder?: string }} options dev: test and build tools count as well; folder: another one with
 *   a lock file of its own
 */
export async function ensureInstalled({ dev, folder = root }) {
  if (!findMissing(folder, dev)) return;
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const release = await waitForLock(path.join(root, 'dist', '.install.lock'), (pid) =>
    say(`waiting for another installation of the dependencies (process ${pid})`),
  );
  try {
    // The other one may have done it.
    const missing = findMissing(folder, dev);
    if (!missing) return;
    say(`installing the dependencies (${missing})`);
    await install(folder);
  } finally {
    release();
  }
  const missing = findMissing(folder, dev);
  if (missing) throw new Error(`npm ended well, but the dependencies are not complete: ${missing}`);
}

/** Names the first package that is not there in the version of the lock file; null when all are. */
export function findMissing(folder, dev) {
  const wanted = readPackages(path.join(folder, 'package-lock.json'));
  if (!wanted)
    throw new Error('package-lock.json is missing or broken: restore it (git checkout package-lock.json)');
  // npm writes this one last: without it the installation was cut short.
  const present = readPackages(path.join(folder, 'node_modules', '.package-lock.json'));
  if (!present) return 'none are here yet, or the last installation did not finish';
  for (const [name, entry] of Object.entries(wanted)) {
    if (name === '' || entry.optional || entry.devOptional || entry.link || (entry.dev && !dev)) continue;
    if (present[name]?.version !== entry.version) return `${name} ${entry.version} is not here`;
    if (!existsSync(path.join(folder, name, 'package.json'))) return `${name} is not complete`;
  }
  return null;
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

async function install(folder) {
  const args = [
    ...[
      'ci',
      '--ignore-scripts',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    // npm's own patience is minutes of silence when there is no network at all.
    ...['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=8000'],
  ];
  // Under an npm script its own npm is the right one, even where PATH has none.
  const cli = process.env.npm_execpath;
  const useCli = cli?.endsWith('.js') && existsSync(cli);
  const command = useCli ? process.execPath : 'npm';
  // Everything on stderr: stdout may have to be JSON and nothing else.
  const child = spawn(command, useCli ? [cli, ...args] : args, {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
  });
  const stop = (signal) => child.kill(signal);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const ended = await new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        error.code === 'ENOENT'
          ? new Error('npm is not here: install Node.js with npm, 18.18 or newer')
          : error,
      ),
    );
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  process.off('SIGINT', stop).off('SIGTERM', stop);
  if (ended.signal) process.exit(130);
  if (ended.code !== 0) {
    throw new Error(
      'the dependencies could not be installed (npm says why above). Is the package registry within reach? ' +
        'Once it is, start again; nothing half-done is left behind',
    );
  }
}
