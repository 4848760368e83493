import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Socket, connect as tcp } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@/bin/supervisor/ports';

/** The Redis of this system, started by the bench on 127.0.0.1 and kept on disk once a second, its usual setting. */
export class BenchRedis {
  private constructor(
    readonly port: number,
    readonly version: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Null where there is no `redis-server` on the PATH. */
  static async open(): Promise<BenchRedis | null> {
    const version = findVersion();
    if (!version) return null;
    const folder = await mkdtemp(path.join(tmpdir(), 'tickmark-bench-redis-'));
    const port = await freePort();
    const settings = {
      port,
      bind: '127.0.0.1',
      dir: folder,
      save: '',
      appendonly: 'yes',
      appendfsync: 'everysec',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn('redis-server', args, { stdio: 'ignore' });
    const redis = new BenchRedis(port, version, child, folder);
    try {
      await untilOpen(port, child);
    } catch (error) {
      await redis.close();
      throw error;
    }
    return redis;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await exited;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

function findVersion(): string | null {
  try {
    return /v=(\S+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'utf8' }))?.[1] ?? null;
  } catch {
    return null;
  }
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) break;
    const socket: Socket = tcp(port, '127.0.0.1');
    const open = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      delay(500).then(() => false),
    ]);
    socket.destroy();
    if (open) return;
    await delay(50);
  }
  throw new Error('redis-server did not start');
}
