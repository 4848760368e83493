import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { InspectReply, type InspectRequest } from '@/lib/contract/child-messages';
import type { Logger } from '@/lib/log';
import { leashArguments } from '@/lib/process/leash';
import { treeMemoryBytes } from '@/lib/process/tree-memory';

export interface InspectPoolOptions {
  /** The bundled inspect child. */
  readonly script: string;
  readonly size: number;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly maxMemoryMb: number;
  readonly log: Logger;
}

export interface InspectPool {
  /**
   * What a file is; `null` when looking took too much time or memory, or the child crashed over it. Throws
   * {@link InspectPoolClosed}.
   */
  inspect(path: string, maxPages: number): Promise<InspectReply | null>;
  /** Ends all children, whatever they are at. */
  close(): void;
}

/** The worker stops: nothing was found out about the document. */
export class InspectPoolClosed extends Error {}

const LOOK_MS = 100;
/** A child that nobody needs for this long is ended. */
const IDLE_MS = 30_000;

/** A few children that look into documents one at a time each, and are killed when one takes too much. */
export function createInspectPool(options: InspectPoolOptions): InspectPool {
  const limit = pLimit(options.size);
  const idle = new Set<ChildProcess>();
  const all = new Set<ChildProcess>();
  let closed = false;

  const start = () => {
    const child = startChild(options);
    all.add(child);
    child.once('exit', () => {
      all.delete(child);
      idle.delete(child);
    });
    return child;
  };
  const giveBack = async (child: ChildProcess) => {
    if (!child.connected || !child.pid) return;
    // One that has grown keeps its memory: the next document gets a fresh one.
    const grown = (await treeMemoryBytes(child.pid)) > (options.maxMemoryMb / 2) * 1024 * 1024;
    if (grown) return kill(child);
    idle.add(child);
    setTimeout(() => {
      if (idle.delete(child)) kill(child);
    }, IDLE_MS).unref();
  };

  return {
    inspect: (path, maxPages) =>
      limit(async () => {
        if (closed) throw new InspectPoolClosed();
        const [waiting] = idle;
        if (waiting) idle.delete(waiting);
        const child = waiting ?? start();
        const reply = await ask(child, { id: randomUUID(), path, maxPages }, options);
        if (closed) throw new InspectPoolClosed();
        if (reply) await giveBack(child);
        else kill(child);
        return reply;
      }),
    close() {
      closed = true;
      for (const child of all) kill(child);
    },
  };
}

function startChild(options: InspectPoolOptions): ChildProcess {
  const heapMb = Math.floor(options.maxMemoryMb * 0.75);
  const child = spawn(
    process.execPath,
    [...leashArguments(), `--max-old-space-size=${heapMb}`, options.script],
    {
      detached: true,
      env: options.environment,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  let said = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.length;
    if (said < 100_000) options.log.debug({ pid: child.pid, said: chunk.toString() }, 'inspect.child_said');
  });
  child.on('error', (err) => options.log.warn({ err }, 'inspect.child_error'));
  return child;
}

/** Resolves with the child's reply, or `null` once it ended, or took too much and has to be killed. */
function ask(
  child: ChildProcess,
  request: InspectRequest,
  options: InspectPoolOptions,
): Promise<InspectReply | null> {
  return new Promise((resolve) => {
    const settle = (reply: InspectReply | null, why: string) => {
      clearTimeout(timer);
      clearInterval(watch);
      child.off('message', onMessage);
      child.off('exit', onExit);
      if (!reply) options.log.warn({ path: request.path, why }, 'inspect.gave_up');
      resolve(reply);
    };
    const onMessage = (raw: unknown) => {
      const reply = InspectReply.safeParse(raw);
      if (reply.success && reply.data.id === request.id) settle(reply.data, 'answered');
    };
    const onExit = () => settle(null, 'the child ended');
    const timer = setTimeout(() => settle(null, 'took too long'), options.timeoutMs);
    const watch = setInterval(async () => {
      const bytes = child.pid ? await treeMemoryBytes(child.pid) : 0;
      if (bytes > options.maxMemoryMb * 1024 * 1024) settle(null, 'took too much memory');
    }, LOOK_MS);
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.send(request, (error) => {
      if (error) settle(null, error.message);
    });
  });
}

function kill(child: ChildProcess): void {
  if (!child.pid) return;
  for (const target of [-child.pid, child.pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
}
