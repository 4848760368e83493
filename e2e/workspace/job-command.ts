import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { type JobTask, resolveReferences } from './job-settings';

/** Where a job's files lie in the workspace; a bundle is copied there when it is deployed. */
export const BUNDLE_FOLDER = '/Workspace/bundle';

const KEPT_LOG_BYTES = 5 * 1024 ** 2;
const KILL_AFTER_MS = 2_000;

export interface CommandPlace {
  /** The folder on disk that stands for {@link BUNDLE_FOLDER}. */
  readonly bundle: string;
  /** All that the command sees of the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A job's command while it runs. */
export interface Command {
  /** Resolves once, when the process and its output have ended. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly logs: string }>;
  /** Ends it with all its children: asked first, then by force. */
  kill(): void;
}

/**
 * Starts what a `spark_python_task` starts: Python with the file, in the file's folder, with the parameters as `argv`.
 * Job parameters are not appended by themselves (that script tasks get them is not confirmed).
 * @param references values of `{{…}}` in the task's parameters
 */
export function startCommand(
  task: JobTask,
  references: Readonly<Record<string, string>>,
  place: CommandPlace,
): Command {
  const { python_file, parameters = [] } = task.spark_python_task;
  const file = path.join(place.bundle, path.relative(BUNDLE_FOLDER, python_file));
  const argv = parameters.map((parameter) => resolveReferences(parameter, references));
  const child = spawn('python3', [file, ...argv], {
    cwd: path.dirname(file),
    env: { ...place.environment } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let logs = '';
  const keep = (chunk: Buffer) => {
    logs = (logs + chunk.toString()).slice(-KEPT_LOG_BYTES);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<{ exitCode: number | null; logs: string }>((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, logs: `${logs}${error.message}` }));
    child.once('close', (exitCode) => resolve({ exitCode, logs }));
  });
  return { ended, kill: () => killGroup(child) };
}

function killGroup(child: ChildProcess): void {
  const send = (signal: 'SIGTERM' | 'SIGKILL') => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  send('SIGTERM');
  const timer = setTimeout(() => send('SIGKILL'), KILL_AFTER_MS);
  child.once('close', () => clearTimeout(timer));
}
