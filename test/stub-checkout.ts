import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from '../bin/build-bundles.mjs';
import { exitOf } from './exit-of';
import { removeTestHome } from './leftovers';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Each notes its process id, and at its end that it was asked nicely. */
const NOTE = `
import { appendFileSync, writeFileSync } from 'node:fs';
const home = process.env.TICKMARK_HOME ?? process.cwd();
export const note = (name) => writeFileSync(home + '/' + name + '.pid', String(process.pid));
export const ended = (name) => appendFileSync(home + '/ended', name + '\\n');
`;
const STUBS: Record<string, string> = {
  'dist/note.mjs': NOTE,
  'dist/worker.mjs': `
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { note, ended } from './note.mjs';
note('worker');
// As the real one reads it, from where it stands.
const agents = process.env.TICKMARK_AGENTS_FILE;
if (agents) writeFileSync('worker.agents', readFileSync(resolve(agents), 'utf8'));
process.on('message', (order) => { ended('worker ' + JSON.stringify(order)); process.exit(0); });
setInterval(() => {}, 1000);`,
  'dist/rules-model.mjs': `
import { note } from './note.mjs';
note('model');
setInterval(() => {}, 1000);`,
  'dist/.app': 'app-stub',
  'dist/app-stub/package.json': '{"type":"module"}',
  'dist/app-stub/server.js': `
import { createServer } from 'node:http';
import { note, ended } from '../note.mjs';
note('app');
createServer((request, response) => response.end('ready')).listen(process.env.PORT, process.env.HOSTNAME);
process.on('SIGTERM', () => { ended('app'); process.exit(0); });`,
};

/** The real supervisor with stand-ins for what it starts, in a folder that looks like a built checkout. */
export interface StubCheckout {
  readonly home: string;
  /** Its folder, which npm runs scripts in. */
  readonly folder: string;
  /** Starts the supervisor, from its folder as npm does; `env` on top of a clean environment. */
  start(env?: Record<string, string>): Supervisor;
  /** What a process of that name wrote about itself; undefined before it ran. */
  pidOf(name: string): Promise<number | undefined>;
  remove(): Promise<void>;
}

/** One running `npm start`, as its caller sees it. */
export interface Supervisor {
  readonly process: ChildProcess;
  /** Resolves with the line about the URL; rejects with all output when it ends before. */
  readonly ready: Promise<string>;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

export async function makeStubCheckout(): Promise<StubCheckout> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tickmark-stub-'));
  await chmod(folder, 0o711);
  const home = path.join(folder, 'home');
  await build({
    ...bundleOptions(path.join(folder, 'dist')),
    entryPoints: { supervisor: path.join(ROOT, 'bin/supervisor.ts') },
  });
  for (const name of ['node_modules', 'drizzle'])
    await symlink(path.join(ROOT, name), path.join(folder, name));
  for (const [name, content] of Object.entries(STUBS)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  const started: ChildProcess[] = [];
  return {
    home,
    folder,
    start: (env = {}) => {
      const supervisor = launch(folder, { TICKMARK_HOME: home, ...env });
      started.push(supervisor.process);
      return supervisor;
    },
    pidOf: async (name) =>
      Number(await readFile(path.join(home, `${name}.pid`), 'utf8').catch(() => '')) || undefined,
    remove: async () => {
      for (const child of started) await endForGood(child);
      await removeTestHome(home);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function launch(folder: string, env: Record<string, string>): Supervisor {
  const child = spawn(process.execPath, [path.join(folder, 'dist', 'supervisor.mjs')], {
    cwd: folder,
    env: { NODE_ENV: 'test', PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      const line = /^Tickmark is ready.*$/m.exec(stdout)?.[0];
      if (line) resolve(line);
    });
    void ended.then((end) => reject(new Error(`ended before it was ready: ${JSON.stringify(end)}`)));
  });
  // Some tests look at the end alone.
  ready.catch(() => {});
  return { process: child, ready, ended };
}

async function endForGood(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await exitOf(child);
}
