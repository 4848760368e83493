import { type ChildProcess, spawn } from 'node:child_process';
import type { ServerUser } from './server-user';

/** What the server's programs see: nothing of our settings, and messages in one language. */
const ENVIRONMENT = {
  NODE_ENV: 'production' as const,
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Options that start a PostgreSQL program under `user` (null: under our own account). */
export function spawnOptions(user: ServerUser | null) {
  return { env: ENVIRONMENT, cwd: '/', ...(user ? { uid: user.uid, gid: user.gid } : {}) };
}

/** Runs a program to its end. Throws with its output when it does not start or does not exit with 0. */
export async function runAs(
  user: ServerUser | null,
  program: string,
  args: string[],
  input?: string,
): Promise<string> {
  const child = spawn(program, args, { ...spawnOptions(user), stdio: ['pipe', 'pipe', 'pipe'] });
  const output = collect(child);
  // A program that ends without reading its input closes the pipe: its exit code tells, not the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with code ${code}: ${output().trim()}`);
  return output();
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-8000);
    });
  }
  return () => text;
}
