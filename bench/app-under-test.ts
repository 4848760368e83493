import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '@/bin/root.mjs';
import { freePort } from '@/bin/supervisor/ports';
import { leashArguments } from '@/lib/process/leash';

const PATIENCE_MS = 60_000;

/** Builds the app where it is not current, as `npm run build` does. */
export async function buildApp(): Promise<void> {
  // Over a channel, so that it ends with us.
  const build = fork(path.join(root, 'bin', 'run.mjs'), ['build'], {
    cwd: root,
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error('the app could not be built (see above)');
}

/** The real app as a process of its own, on a database of the bench's. */
export class AppUnderTest {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly home: string,
  ) {}

  /** Resolves as soon as it answers: nothing has warmed it up. */
  static async open(
    databaseUrl: string,
    webhookSecret: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<AppUnderTest> {
    const home = await mkdtemp(path.join(tmpdir(), 'tickmark-bench-app-'));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const args = [...leashArguments(), path.join(root, 'bin', 'start.mjs'), 'app'];
    const child = spawn(process.execPath, args, {
      cwd: root,
      // A group of its own: what its leash kills when we are gone.
      detached: true,
      stdio: ['ignore', 'ignore', 2],
      env: {
        NODE_ENV: 'production',
        ...{ DATABASE_URL: databaseUrl, TICKMARK_HOME: home, TICKMARK_URL: url, PORT: String(port) },
        ...{ WEBHOOK_SECRET: webhookSecret, AUTH_SECRET: webhookSecret, LOG_LEVEL: 'error' },
        ...settings,
      },
    });
    const app = new AppUnderTest(url, child, home);
    try {
      await app.#untilItAnswers();
    } catch (error) {
      await app.close();
      throw error;
    }
    return app;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 6000);
    await exited;
    clearTimeout(timer);
    await rm(this.home, { recursive: true, force: true, maxRetries: 10 });
  }

  get #hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async #untilItAnswers(): Promise<void> {
    for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
      if (this.#hasEnded) throw new Error('the app ended before it answered');
      const answer = await fetch(`${this.url}/healthz`).catch(() => null);
      if (answer?.ok) return;
      await delay(50);
    }
    throw new Error(`the app did not answer within ${PATIENCE_MS / 1000} s`);
  }
}
