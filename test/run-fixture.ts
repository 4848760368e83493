import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runEnvironment } from '@/lib/config/run-environment';
import type { RunInput } from '@/lib/contract/run-input';
import { createEmbeddedDocumentStore } from '@/lib/platform/document-store/embedded';
import { createEmbeddedRunner } from '@/lib/platform/job-runner/embedded';
import type { JobRunner, RunRequest } from '@/lib/platform/job-runner/port';
import { identityOf, isAlive, type ProcessIdentity } from '@/lib/process/identity';
import { bundleForTest } from './bundle';
import { startCallbackSink } from './callback-sink';

/** Stands in for the agent child; the document's file name tells it how to behave. */
export const FAKE_CHILD = fileURLToPath(new URL('./fixtures/fake-child.mjs', import.meta.url));

/** A data folder with a runner on it whose runs have the fake child. */
export interface RunFixture {
  readonly home: string;
  readonly hostScript: string;
  newRunner(slots: number): JobRunner;
  /** Writes the input of a new attempt. */
  request(behaviour: string, change?: Partial<RunChange>): Promise<RunRequest>;
  read(attemptId: string, name: string): Promise<string | null>;
  /** Lets a child that behaves as `waitForFile:go` end. */
  release(attemptId: string): Promise<void>;
  /** All child processes that were ever started for an attempt. */
  childPids(attemptId: string): Promise<number[]>;
  hostOf(attemptId: string): Promise<ProcessIdentity | null>;
  /** Kills what still runs and removes the folder. */
  close(): Promise<void>;
}

export interface RunChange {
  readonly maxMemoryMb: number;
  readonly maxRunSeconds: number;
  readonly callback: RunInput['callback'];
}

const KEY = 'k'.repeat(64);

export async function createRunFixture(): Promise<RunFixture> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'tickmark-runs-'));
  const hostScript = await bundleForTest('agent/host.ts');
  const store = createEmbeddedDocumentStore(home);
  const sink = await startCallbackSink(KEY);
  const attempts: string[] = [];
  const fileOf = (attemptId: string, name: string) => path.join(home, 'runs', attemptId, name);
  const read = (attemptId: string, name: string) =>
    readFile(fileOf(attemptId, name), 'utf8').catch(() => null);
  const hostOf = async (attemptId: string) => {
    const record = JSON.parse((await read(attemptId, 'host.json')) ?? '{}');
    return record.host ?? null;
  };
  return {
    home,
    hostScript,
    newRunner: (slots) =>
      createEmbeddedRunner({
        home,
        slots,
        hostScript,
        agentScript: FAKE_CHILD,
        programScript: FAKE_CHILD,
        programs: {},
        environment: runEnvironment(),
      }),
    async request(behaviour, change = {}) {
      const input = fakeInput(behaviour, { callback: { url: sink.url, key: KEY }, ...change });
      attempts.push(input.attemptId);
      const inputPath = await store.writeRunFile(input.attemptId, 'input.json', JSON.stringify(input));
      return {
        attemptId: input.attemptId,
        idempotencyToken: `test:${input.attemptId}`,
        inputPath,
        maxRunSeconds: input.limits.maxRunSeconds,
      };
    },
    read,
    release: (attemptId) => writeFile(fileOf(attemptId, 'go'), ''),
    childPids: async (attemptId) =>
      ((await read(attemptId, 'child-pids')) ?? '').split('\n').filter(Boolean).map(Number),
    hostOf,
    async close() {
      for (const attemptId of attempts) {
        const host = await hostOf(attemptId);
        if (host && (await isAlive(host))) process.kill(host.pid, 'SIGKILL');
      }
      await sink.close();
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Whether a process with this pid runs. */
export async function runs(pid: number): Promise<boolean> {
  return (await identityOf(pid)) !== null;
}

function fakeInput(behaviour: string, change: Partial<RunChange> & Pick<RunChange, 'callback'>): RunInput {
  return {
    version: 1,
    taskId: randomUUID(),
    attemptId: randomUUID(),
    traceId: 'trace',
    agent: {
      id: 'invoice',
      version: 1,
      definition: { kind: 'extract', documentType: 'invoice', instructions: '', schema: {} },
      candidates: [],
    },
    document: { path: '/nowhere.pdf', filename: behaviour, sizeBytes: 1, pageCount: 1 },
    callback: change.callback,
    model: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: null, name: 'fake' },
    limits: {
      maxRunSeconds: change.maxRunSeconds ?? 600,
      maxMemoryMb: change.maxMemoryMb ?? 512,
      maxPages: 100,
    },
  };
}
