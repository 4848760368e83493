import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import { receiveCallback } from '@/lib/callbacks/receive';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { addDocuments, type StoredFile } from '@/lib/documents/add-documents';
import { createExtraction } from '@/lib/documents/create-extraction';
import { createEmbeddedDocumentStore } from '@/lib/platform/document-store/embedded';
import type { DocumentStore } from '@/lib/platform/document-store/port';
import { isAlive, ProcessIdentity } from '@/lib/process/identity';
import { createCallbackGroups } from '@/lib/queue/callback-groups';
import { priceUsages } from '@/lib/usage/price';
import { bundleForTest } from './bundle';
import { createTestDatabase } from './database';
import { exitOf } from './exit-of';
import { FAKE_CHILD } from './run-fixture';

const FAKE_INSPECT_CHILD = fileURLToPath(new URL('./fixtures/fake-inspect-child.mjs', import.meta.url));
const WEBHOOK_SECRET = 's'.repeat(40);

/** A database, a data folder, a receiver of callbacks, and real worker processes with the fake child. */
export interface WorkerFixture {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly home: string;
  /** Whether the app answers callbacks; when not, it is as if it were down. */
  appIsUp: boolean;
  startWorker(environment?: Record<string, string>): ChildProcess;
  /** Uploads one document per behaviour of the fake child, or real ones; returns the tasks' ids. */
  upload(...documents: (string | Upload)[]): Promise<string[]>;
  tasks(): Promise<TaskRow[]>;
  attempts(taskId: string): Promise<AttemptRow[]>;
  /** All child processes ever started for an attempt. */
  childPids(attemptId: string): Promise<number[]>;
  hostPid(attemptId: string): Promise<number>;
  /** Hosts of this data folder that live now. */
  liveHosts(): Promise<number[]>;
  /** Ends all sessions of workers and lets none in again. */
  breakDatabase(): Promise<void>;
  close(): Promise<void>;
}

export interface Upload {
  readonly filename: string;
  readonly bytes: Buffer;
}

/** Scripts in place of the stand-ins, and what workers are told besides. */
export interface WorkerFixtureOptions {
  readonly agent?: string;
  readonly program?: string;
  readonly inspect?: string;
  /** Whom uploads are for; `invoice` if not said. */
  readonly agentId?: string;
  readonly environment?: Record<string, string>;
  /** Where uploads go; default: the data folder. */
  readonly store?: DocumentStore;
}

export interface TaskRow {
  readonly id: string;
  readonly status: string;
  readonly attempt_count: number;
  readonly error_code: string | null;
  readonly locked_by: string | null;
  readonly result: { fields: { name: string; value: unknown; page: number | null }[] } | null;
}

export interface AttemptRow {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly run_id: string | null;
  readonly claimed_by: string;
}

export async function createWorkerFixture(options: WorkerFixtureOptions = {}): Promise<WorkerFixture> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'tickmark-worker-'));
  const [database, hostScript, workerScript] = await Promise.all([
    createTestDatabase(),
    bundleForTest('agent/host.ts'),
    bundleForTest('test/fixtures/worker-with-fakes.ts'),
  ]);
  const { db } = database;
  const scripts = JSON.stringify({
    host: hostScript,
    agent: options.agent ?? FAKE_CHILD,
    program: options.program ?? FAKE_CHILD,
    inspect: options.inspect ?? FAKE_INSPECT_CHILD,
  });
  const workers = new Set<ChildProcess>();
  const app = await startApp(db, () => fixture.appIsUp);
  const query = async <T>(sql: string, values: unknown[] = []) =>
    (await db.$client.query(sql, values)).rows as T[];
  const inRun = (attemptId: string, name: string) =>
    readFile(path.join(home, 'runs', attemptId, name), 'utf8').catch(() => '');
  const host = async (attemptId: string) => {
    const record = JSON.parse((await inRun(attemptId, 'host.json')) || '{}');
    return ProcessIdentity.safeParse(record.host).data;
  };

  const fixture: WorkerFixture = {
    db,
    databaseUrl: database.url,
    home,
    appIsUp: true,
    startWorker(environment = {}) {
      const worker = fork(workerScript, [scripts], {
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'production',
          DATABASE_URL: database.url,
          TICKMARK_HOME: home,
          TICKMARK_URL: app.url,
          TICKMARK_RUNNER_SLOTS: '2',
          LEASE_SECONDS: '5',
          WEBHOOK_SECRET,
          AUTH_SECRET: 'a'.repeat(40),
          MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
          MODEL_NAME: 'fake',
          LOG_LEVEL: 'silent',
          ...options.environment,
          ...environment,
        },
      });
      workers.add(worker);
      return worker;
    },
    async upload(...documents) {
      const store = options.store ?? createEmbeddedDocumentStore(home);
      const extraction = await createExtraction(db, {
        agentId: options.agentId ?? 'invoice',
        client: null,
        name: null,
        priority: null,
        submittedBy: 'test',
      });
      const files: StoredFile[] = [];
      for (const document of documents) {
        const [filename, bytes] =
          typeof document === 'string' ? [document, document] : [document.filename, document.bytes];
        files.push({ filename, stored: await store.put(Readable.from([bytes]), { maxBytes: 10_000_000 }) });
      }
      const added = await withTransaction(db, (tx) => addDocuments(tx, extraction, files, 'test'));
      return added.map(({ taskId }) => taskId);
    },
    tasks: () => query<TaskRow>('select * from tickmark.tasks order by created_at, id'),
    attempts: (taskId) =>
      query<AttemptRow>('select * from tickmark.task_attempts where task_id = $1 order by number', [taskId]),
    childPids: async (attemptId) =>
      (await inRun(attemptId, 'child-pids')).split('\n').filter(Boolean).map(Number),
    async hostPid(attemptId) {
      return (await host(attemptId))?.pid ?? 0;
    },
    async liveHosts() {
      const pids: number[] = [];
      for (const attemptId of await readdir(path.join(home, 'runs')).catch(() => [])) {
        const identity = await host(attemptId);
        if (identity && (await isAlive(identity))) pids.push(identity.pid);
      }
      return pids;
    },
    async breakDatabase() {
      const name = new URL(database.url).pathname.slice(1);
      const server = new pg.Client({ connectionString: inject('serverUrl') });
      await server.connect();
      await server.query(`alter database ${name} allow_connections false`);
      await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      await server.end();
    },
    async close() {
      for (const worker of workers) {
        worker.kill('SIGKILL');
        await exitOf(worker);
      }
      for (const pid of await fixture.liveHosts()) process.kill(pid, 'SIGKILL');
      await app.close();
      await database.close();
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  return fixture;
}

/** Receives callbacks as the app's route does. */
async function startApp(db: Db, isUp: () => boolean): Promise<{ url: string; close(): Promise<void> }> {
  const groups = createCallbackGroups({ db, hooks: { priceUsages } });
  const server: Server = createServer(async (request, response) => {
    if (!isUp()) return response.destroy();
    const header = (name: string) => request.headers[name]?.toString() ?? null;
    const headers = {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    };
    const rawBody = await text(request);
    const outcome = await receiveCallback(
      { db, webhookSecret: WEBHOOK_SECRET, groups },
      { headers, rawBody, checkAge: true },
    );
    response.writeHead(outcome.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify('answer' in outcome ? outcome.answer : outcome.problem));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
