import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { Progress, Usage } from '@/lib/contract/callback';
import { ChildMessage, type HostMessage, type TokenPurpose } from '@/lib/contract/child-messages';
import type { Logger } from '@/lib/log';
import { leashArguments } from '@/lib/process/leash';
import { treeMemoryBytes } from '@/lib/process/tree-memory';
import { failure, type Outcome } from './outcome';

export interface ChildOrder {
  readonly script: string;
  readonly inputPath: string;
  /** What follows the path of the input. */
  readonly args?: readonly string[];
  readonly maxMemoryMb: number;
  readonly maxRunSeconds: number;
  readonly log: Logger;
  /** All that the child sees of the environment; without it, what this process sees. */
  readonly environment?: NodeJS.ProcessEnv;
  /** A token for the model, where the child has no key. The child holds nothing that would get it another one. */
  readonly tokenFor?: (purpose: TokenPurpose) => Promise<string | null>;
  onProgress(progress: Progress, usage: Usage | null): void;
}

export interface RunningChild {
  /** Resolves once the child and its whole group are gone. */
  readonly outcome: Promise<Outcome>;
  /** Kills the child; the outcome is then `stopped` unless it had ended before. */
  stop(): void;
}

const LOOK_MS = 100;
/** A child has this long to end by itself after its final message. */
const LEAVE_MS = 5_000;
/** A child that is told to end may send the rest of its trace; one that listens no more is killed. */
const LAST_WORDS_MS = 2_000;
/** Messages that say nothing valid; more than this and the child is taken for broken. */
const MAX_INVALID = 100;
/** The heap may take this part of the limit, so that running out of it is told apart from a crash. */
const HEAP_SHARE = 0.75;

/** Starts the agent child and watches it: memory of its whole tree, time, messages. It can't outlive this process. */
export function runChild(order: ChildOrder): RunningChild {
  const child = start(order);
  let outcome: Outcome | null = null;
  let usage: Usage | null = null;
  let invalid = 0;
  const end = (reason: Outcome) => {
    outcome ??= reason;
    killGroup(child);
  };
  const endGently = (reason: Outcome) => {
    outcome ??= reason;
    child.kill('SIGTERM');
    setTimeout(() => killGroup(child), LAST_WORDS_MS).unref();
  };
  const fail = (...error: Parameters<typeof failure>) =>
    end({ kind: 'failed', error: failure(...error), usage });

  const stderr = keepTail(child, order.log);
  child.on('message', (raw) => {
    const message = ChildMessage.safeParse(raw);
    if (!message.success) {
      invalid += 1;
      order.log.warn({ issues: message.error.issues.slice(0, 5) }, 'host.invalid_message');
      if (invalid > MAX_INVALID) fail('internal', 'The reader sent nothing but messages without meaning.');
      return;
    }
    if (message.data.kind === 'token_wanted') {
      void sendToken(child, order, message.data.purpose);
      return;
    }
    if ('usage' in message.data) usage = message.data.usage ?? usage;
    if (outcome) return;
    if (message.data.kind === 'progress') order.onProgress(message.data.progress, usage);
    else {
      outcome = message.data.kind === 'reported' ? message.data : { ...message.data, usage };
      setTimeout(() => killGroup(child), LEAVE_MS).unref();
    }
  });
  const stopWatching = watchMemory(child, order.maxMemoryMb, () =>
    fail('resource_limit', `Reading this document took more than ${order.maxMemoryMb} MB of memory.`),
  );
  const timeLimit = setTimeout(() => {
    const error = failure('timeout', `The run was stopped after ${order.maxRunSeconds} seconds.`);
    endGently({ kind: 'failed', error, usage });
  }, order.maxRunSeconds * 1000);

  const ended = whenEnded(child).then(([code, signal]): Outcome => {
    stopWatching();
    clearTimeout(timeLimit);
    killGroup(child);
    if (outcome) return outcome;
    order.log.error({ code, signal, stderr: stderr() }, 'host.child_crashed');
    const error = explainCrash(code, signal, stderr(), order.maxMemoryMb);
    return { kind: 'failed', error, usage };
  });
  return { outcome: ended, stop: () => endGently({ kind: 'stopped' }) };
}

function start(order: ChildOrder): ChildProcess {
  const heapMb = Math.floor(order.maxMemoryMb * HEAP_SHARE);
  const options = [...leashArguments(), `--max-old-space-size=${heapMb}`];
  // A group of its own, so that all that the child may have started is killed with it.
  const child = spawn(process.execPath, [...options, order.script, order.inputPath, ...(order.args ?? [])], {
    detached: true,
    env: order.environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // Should the machine run out of memory before we look again, the kernel takes this child and not the database.
  if (process.platform === 'linux' && child.pid !== undefined) {
    writeFile(`/proc/${child.pid}/oom_score_adj`, '800').catch(() => {});
  }
  return child;
}

async function sendToken(
  child: ChildProcess,
  { tokenFor, log }: ChildOrder,
  purpose: TokenPurpose,
): Promise<void> {
  const token = await (tokenFor?.(purpose) ?? null)?.catch((err: unknown) => {
    log.warn({ err, purpose }, 'host.no_token');
    return null;
  });
  const answer: HostMessage = { kind: 'token', purpose, token: token ?? null };
  if (child.connected) child.send(answer, () => {});
}

/** The end of the process and of its channel: a last message may arrive after the exit. */
async function whenEnded(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  const disconnected = child.connected ? once(child, 'disconnect') : Promise.resolve();
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('exit', (...end) => resolve(end));
    child.once('error', () => resolve([null, null]));
  });
  await Promise.race([disconnected, new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
  return [code, signal];
}

function watchMemory(child: ChildProcess, maxMemoryMb: number, onExceeded: () => void): () => void {
  let looking = false;
  const timer = setInterval(async () => {
    if (looking || child.pid === undefined) return;
    looking = true;
    try {
      if ((await treeMemoryBytes(child.pid)) > maxMemoryMb * 1024 * 1024) onExceeded();
    } finally {
      looking = false;
    }
  }, LOOK_MS);
  return () => clearInterval(timer);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  for (const target of [-child.pid, child.pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
}

const TAIL_BYTES = 4_000;
const MAX_LOGGED_BYTES = 1_000_000;

/** Passes the child's output on to the run's log, up to a limit, and keeps its end to explain a crash. */
function keepTail(child: ChildProcess, log: Logger): () => string {
  let tail = '';
  let passed = 0;
  const take = (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-TAIL_BYTES);
    passed += chunk.length;
    if (passed <= MAX_LOGGED_BYTES) process.stderr.write(chunk);
    else if (passed - chunk.length <= MAX_LOGGED_BYTES) log.warn('host.child_output_cut');
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return () => tail;
}

function explainCrash(
  code: number | null,
  signal: NodeJS.Signals | null,
  stderr: string,
  maxMemoryMb: number,
) {
  if (/heap out of memory|Zone Allocation failed/i.test(stderr)) {
    return failure('resource_limit', `Reading this document took more than ${maxMemoryMb} MB of memory.`);
  }
  return failure('internal', `The reader ended without an answer (${signal ?? `exit code ${code}`}).`);
}
