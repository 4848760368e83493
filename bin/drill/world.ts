import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { createDb, type Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { addDocuments } from '@/lib/documents/add-documents';
import { createExtraction } from '@/lib/documents/create-extraction';
import { createEmbeddedDocumentStore } from '@/lib/platform/document-store/embedded';
import { writeCeilings } from '@/lib/queue/settings';
import { root } from '../root.mjs';
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy';
import { openReceiver, type Receiver } from './receiver';
import { countBegun, findLiveHosts } from './run-folders';
import type { DrillWorkerOrder } from './worker-process';

export const WEBHOOK_SECRET = 'drill '.repeat(8);
/** Of the platform's runner. */
const SLOTS = 4;
/** Over all agents, in every drill: less than the slots, so that only the queue keeps it. */
export const CEILING = 3;

export interface WorldOptions {
  readonly leaseSeconds?: number;
}

export interface StartOptions {
  readonly environment?: Record<string, string>;
  /** By way of the proxy. */
  readonly proxied?: boolean;
  readonly execArgv?: readonly string[];
  /** Another build of the worker. */
  readonly script?: string;
  /** The agent child: default the stand-in. */
  readonly agent?: string;
}

export interface Submission {
  /** What the stand-in does, one per document, such as `work:300`. */
  readonly documents: readonly string[];
  readonly priority?: number;
  readonly client?: string;
}

export interface TaskRow {
  readonly id: string;
  readonly status: string;
  readonly attempt_count: number;
  readonly error_code: string | null;
}

/** A database, a data folder, the app's end of callbacks, and worker processes: all that one drill has. */
export class World {
  readonly #workers = new Set<ChildProcess>();

  constructor(
    readonly databaseUrl: string,
    readonly home: string,
    readonly leaseSeconds: number,
    readonly db: Db,
    readonly proxy: DatabaseProxy,
    readonly receiver: Receiver,
  ) {}

  /** While it is there, workers do not reach their runner. */
  get outageFile(): string {
    return path.join(this.home, 'runner-is-out');
  }

  /** A document `wait:<this>` is read until the file is there. */
  get goFile(): string {
    return path.join(this.home, 'go');
  }

  go(): void {
    writeFileSync(this.goFile, '');
  }

  async query<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.db.$client.query(text, values)).rows as T[];
  }

  /** The database's clock, in seconds. */
  async now(): Promise<number> {
    const [row] = await this.query<{ now: string }>('select extract(epoch from clock_timestamp()) as now');
    return Number(row?.now);
  }

  /** Puts documents into the queue, claimable at once; the tasks' ids in their order. */
  async submit({ documents, priority, client }: Submission): Promise<string[]> {
    const store = createEmbeddedDocumentStore(this.home);
    const stored = await store.put(Readable.from([Buffer.from('drill')]), { maxBytes: 1000 });
    return withTransaction(this.db, async (tx) => {
      const extraction = await createExtraction(tx, {
        agentId: 'invoice',
        client: client ?? null,
        name: null,
        priority: priority ?? null,
        submittedBy: 'drill',
      });
      const files = documents.map((filename) => ({ filename, stored }));
      const added = await addDocuments(tx, extraction, files, 'drill');
      await tx.execute(sql`
        update tickmark.tasks set estimated_tokens = 110, estimated_seconds = 1
        where extraction_id = ${extraction.id}::uuid`);
      await tx.execute(sql`notify task_changes`);
      return added.map(({ taskId }) => taskId);
    });
  }

  /** Starts a worker process and resolves once it is registered. */
  async startWorker(options: StartOptions = {}): Promise<ChildProcess> {
    const dist = path.join(root, 'dist');
    const order: DrillWorkerOrder = {
      scripts: {
        host: path.join(dist, 'host.mjs'),
        agent: options.agent ?? path.join(dist, 'drill-agent.mjs'),
        program: path.join(dist, 'agent-program.mjs'),
        inspect: path.join(dist, 'inspect.mjs'),
      },
      outageFile: this.outageFile,
    };
    const worker = fork(options.script ?? path.join(dist, 'drill-worker.mjs'), [JSON.stringify(order)], {
      execArgv: [...(options.execArgv ?? [])],
      stdio: ['ignore', 'ignore', process.env.DRILL_LOG ? 'inherit' : 'ignore', 'ipc'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        DATABASE_URL: options.proxied ? this.proxy.url(this.databaseUrl) : this.databaseUrl,
        TICKMARK_HOME: this.home,
        TICKMARK_URL: this.receiver.url,
        TICKMARK_RUNNER_SLOTS: String(SLOTS),
        LEASE_SECONDS: String(this.leaseSeconds),
        WEBHOOK_SECRET,
        AUTH_SECRET: 'a'.repeat(40),
        MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
        MODEL_NAME: 'stand-in',
        LOG_LEVEL: process.env.DRILL_LOG ?? 'silent',
        ...options.environment,
      },
    });
    this.#workers.add(worker);
    for (;;) {
      const rows = await this.query<{ id: string }>(
        'select id from tickmark.workers where pid = $1 and session_pid is not null',
        [worker.pid],
      ).catch(() => []);
      if (rows.length > 0) return worker;
      if (hasEnded(worker)) throw new Error('a worker ended before it had begun');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Kills a worker at once; the database's clock just before. */
  async kill(...workers: ChildProcess[]): Promise<number> {
    const at = await this.now();
    for (const worker of workers) await end(worker, 'SIGKILL');
    return at;
  }

  tasks(): Promise<TaskRow[]> {
    return this.query<TaskRow>(
      'select id, status, attempt_count, error_code from tickmark.tasks order by created_at, id',
    );
  }

  async countIn(...statuses: string[]): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      'select count(*)::integer as count from tickmark.tasks where status::text = any($1)',
      [statuses],
    );
    return row?.count ?? 0;
  }

  /** How often the work of each attempt was begun. */
  begun(): Promise<ReadonlyMap<string, number>> {
    return countBegun(this.home);
  }

  /** The processes that host runs now. */
  liveHosts(): Promise<number[]> {
    return findLiveHosts(this.home);
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) await end(worker, 'SIGKILL');
    for (const pid of await this.liveHosts()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    }
    await this.receiver.close();
    await this.db.$client.end();
    await this.proxy.close();
    await rm(this.home, { recursive: true, force: true, maxRetries: 10 });
  }
}

export async function openWorld(databaseUrl: string, home: string, options: WorldOptions): Promise<World> {
  const db = createDb(databaseUrl, { applicationName: 'drill', max: 10 });
  await writeCeilings(db, { maxConcurrentTasks: CEILING, maxTpm: null });
  const proxy = await openDatabaseProxy(databaseUrl);
  const receiver = await openReceiver(db, () => proxy.url(databaseUrl), WEBHOOK_SECRET);
  return new World(databaseUrl, home, options.leaseSeconds ?? 15, db, proxy, receiver);
}

export function hasEnded(worker: ChildProcess): boolean {
  return worker.exitCode !== null || worker.signalCode !== null;
}

async function end(worker: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(worker)) return;
  const exit = once(worker, 'exit');
  worker.kill(signal);
  await exit;
}
