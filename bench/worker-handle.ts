import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '@/bin/root.mjs';
import type { FromWorker, ToWorker, WorkerOrder } from './messages';

const STOP_MS = 8000;

const alive = new Set<WorkerHandle>();

/** Ends all worker processes that were started, at once. */
export async function killWorkers(): Promise<void> {
  await Promise.all([...alive].map((worker) => worker.kill()));
}

/** A worker process that the bench has started. */
export class WorkerHandle {
  /** Tasks that it has started so far. */
  handled = 0;
  /** When the first one was; Infinity before. */
  firstAt = Number.POSITIVE_INFINITY;
  /** When each probe started for the first time, by its number. */
  readonly probes = new Map<number, number>();
  /** The same of tasks that were to be held. */
  readonly held = new Map<number, number>();
  #failure: string | undefined;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #ready: Promise<void>;

  private constructor(order: WorkerOrder) {
    this.#child = fork(path.join(root, 'dist', 'bench-worker.mjs'), [JSON.stringify(order)], {
      execArgv: ['--no-deprecation'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    alive.add(this);
    this.#exited = once(this.#child, 'exit').finally(() => alive.delete(this));
    this.#ready = new Promise((resolve) => {
      this.#child.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') resolve();
        else this.#take(message);
      });
    });
  }

  /** Starts a process and resolves once it is connected and waits for `start`. */
  static async open(order: WorkerOrder): Promise<WorkerHandle> {
    const handle = new WorkerHandle(order);
    await Promise.race([handle.#ready, handle.#exited]);
    handle.check();
    return handle;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Throws when the process failed or has ended. */
  check(): void {
    if (this.#failure) throw new Error(`a worker failed: ${this.#failure}`);
    if (this.#ended) throw new Error('a worker process ended by itself');
  }

  start(): void {
    this.#send('start');
  }

  async stop(): Promise<void> {
    if (this.#ended) return;
    this.#send('stop');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    if (this.#ended) return;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  get #ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #send(message: ToWorker): void {
    this.#child.send(message);
  }

  #take(message: FromWorker): void {
    switch (message.kind) {
      case 'handled':
        this.handled = message.count;
        this.firstAt = message.firstAt;
        return;
      case 'probe':
      case 'hold': {
        const known = message.kind === 'probe' ? this.probes : this.held;
        if (!known.has(message.n)) known.set(message.n, message.at);
        return;
      }
      case 'failed':
        this.#failure ??= message.reason;
    }
  }
}
