import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { ChildMessage } from '@/lib/contract/child-messages';
import { ProgramOrder } from '@/lib/process/run-host-file';
import { failure } from '../host/outcome';

// The child of a host for an agent of another author: `agent-program <path of input.json> <order as JSON>`. Starts the
// program in its own process group, so that it ends with the host, and within the host's limits of memory and time.
// The program reads input.json and calls back itself; here is only seen to it that a run never ends without an answer.

type Final = Extract<ChildMessage, { kind: 'failed' | 'reported' }>;

async function runProgram(inputPath: string, order: ProgramOrder): Promise<Final> {
  const [program = '', ...args] = order.command;
  const child = spawn(program, [...args, inputPath], {
    cwd: order.folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = await new Promise<string>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve(`could not be started (${error.code === 'ENOENT' ? `${program}: not found` : error.message})`),
    );
    child.once('exit', (code, signal) =>
      resolve(`ended without an answer (${signal ?? `exit code ${code}`})`),
    );
  });
  if (await exists(path.join(path.dirname(inputPath), 'outbox.json'))) return { kind: 'reported' };
  const message = `The program of this agent ${end}. What it printed is in run.log of the run’s folder.`;
  return { kind: 'failed', error: failure('internal', message), usage: null };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function send(message: Final): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else resolve();
  });
}

const [inputPath = '', order = 'null'] = process.argv.slice(2);
await send(await runProgram(inputPath, ProgramOrder.parse(JSON.parse(order))));
process.exit(0);
