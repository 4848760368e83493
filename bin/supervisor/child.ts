import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildLog } from './child-log';

/** How to start one process of ours. */
export interface ChildSpec {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;
const STEADY_MS = 30_000;
const LAST_WORDS_MS = 300;

/** A process that is started again whenever it ends unasked, later each time until it has run for a while. */
export class Child {
  #process: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #backoffMs = FIRST_BACKOFF_MS;
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;

  /** @param onEnd told of every unasked end, before the next start is planned */
  constructor(
    private readonly spec: ChildSpec,
    private readonly log: ChildLog,
    private readonly onEnd: (how: string, restartMs: number) => void,
  ) {}

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(): void {
    const startedAt = Date.now();
    // A group of its own: Ctrl-C in a terminal must reach the supervisor alone, which stops all in order.
    const child = spawn(process.execPath, this.spec.args, {
      cwd: this.spec.cwd,
      env: this.spec.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) if (stream) this.log.follow(stream);
    // Failing to start and failing to send show as an end, too.
    child.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      child.once('close', () => resolve());
      child.once('exit', (code, signal) => {
        // Its last words may still be on the way; something that it started may hold the pipe for ever.
        setTimeout(resolve, LAST_WORDS_MS);
        if (!this.#stopping && child === this.#process)
          this.#planRestart(startedAt, signal ?? `code ${code}`);
      });
    });
  }

  #planRestart(startedAt: number, how: string): void {
    if (Date.now() - startedAt > STEADY_MS) this.#backoffMs = FIRST_BACKOFF_MS;
    this.onEnd(how, this.#backoffMs);
    if (this.#stopping) return;
    this.#timer = setTimeout(() => this.start(), this.#backoffMs);
    this.#backoffMs = Math.min(this.#backoffMs * 2, LONGEST_BACKOFF_MS);
  }

  /** Ends it for a changed bundle and starts it again at once. */
  async restart(graceMs: number): Promise<void> {
    await this.stop(graceMs);
    this.#stopping = false;
    this.start();
  }

  /**
   * Asks it to end and makes it after `graceMs`.
   * @param message sent instead of SIGTERM where the process takes orders
   */
  async stop(graceMs: number, message?: object): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null || !child.pid) return;
    if (message && child.connected) child.send(message, () => {});
    else child.kill('SIGTERM');
    const late = new AbortController();
    await Promise.race([this.#ended, delay(graceMs, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
    this.kill();
    await this.#ended;
  }

  /** Ends it and what it started in its group at once. */
  kill(): void {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const pid = this.#process?.pid;
    if (!pid) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The whole group is gone already.
    }
  }
}
