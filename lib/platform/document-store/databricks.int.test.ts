import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorkspace, type Workspace } from '@/e2e/workspace/workspace';
import { createVolumeFiles } from '@/lib/databricks/volume-files';
import { createWorkspaceClient } from '@/lib/databricks/workspace-client';
import { jumpingClock } from '@/test/call-clock';
import { documentStoreConformance } from './conformance';
import { createVolumeDocumentStore } from './databricks';
import type { DocumentStore } from './port';

interface World {
  readonly workspace: Workspace;
  readonly store: DocumentStore;
  readonly drafts: string;
  listFiles(): Promise<string[]>;
  close(): Promise<void>;
}

async function makeWorld(): Promise<World> {
  const workspace = await startWorkspace();
  const { host, clientId, clientSecret, volume, mount } = workspace;
  const log = { warn() {}, debug() {} };
  const client = createWorkspaceClient({ host, clientId, clientSecret, log, clock: jumpingClock() });
  const drafts = await mkdtemp(path.join(os.tmpdir(), 'tickmark-drafts-'));
  return {
    workspace,
    store: createVolumeDocumentStore({ files: createVolumeFiles(client, volume), volume, drafts }),
    drafts,
    listFiles: async () => [...(await filesBelow(mount)), ...(await filesBelow(drafts))],
    async close() {
      await client.close();
      await workspace.stop();
      await rm(drafts, { recursive: true });
    },
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

documentStoreConformance('databricks', makeWorld);

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());
const limit = { maxBytes: 50_000_000 };
/** Where a run finds a file of the volume here. */
const mounted = (volumePath: string) =>
  path.join(world.workspace.mount, volumePath.replace(/^\/Volumes\//, ''));

test('a run finds document and input in the volume under the paths that it is told', async () => {
  const { uri } = await world.store.put(Readable.from([Buffer.from('%PDF')]), limit);
  const input = await world.store.writeRunFile('an-attempt', 'input.json', '{}');
  expect(world.store.pathForRun(uri)).toMatch(/^\/Volumes\/.+\/documents\/[0-9a-f]{2}\/[0-9a-f]{64}$/);
  expect(input).toMatch(/^\/Volumes\/.+\/runs\/an-attempt\/input\.json$/);
  expect(await readFile(mounted(world.store.pathForRun(uri)), 'utf8')).toBe('%PDF');
  expect(await readFile(mounted(input), 'utf8')).toBe('{}');
});

test('busy and broken answers are tried again with the whole body, and nothing stays behind on this machine', async () => {
  const content = Buffer.alloc(3_000_000, 'again');
  const files = '/api/2.0/fs/files';
  world.workspace.faults.add({
    kind: 'status',
    status: 429,
    method: 'PUT',
    path: files,
    times: 1,
    headers: { 'retry-after': '2' },
  });
  world.workspace.faults.add({
    kind: 'status',
    status: 503,
    method: 'PUT',
    path: files,
    times: 1,
    body: '<html>busy</html>',
  });
  world.workspace.faults.add({ kind: 'lost', method: 'PUT', path: files, times: 1 });
  world.workspace.faults.add({ kind: 'reset', method: 'HEAD', path: files, times: 1 });
  const stored = await world.store.put(Readable.from([content]), limit);
  expect((await readFile(mounted(world.store.pathForRun(stored.uri)))).equals(content)).toBe(true);
  expect(await filesBelow(world.drafts)).toEqual([]);
});

test('a document that was left half-written is healed when the same document comes again', async () => {
  const content = Buffer.from('the true content');
  const { uri } = await world.store.put(Readable.from([content]), limit);
  await writeFile(mounted(world.store.pathForRun(uri)), 'the tr');
  await world.store.put(Readable.from([content]), limit);
  const opened = await world.store.open(uri);
  expect(opened && (await buffer(opened.bytes)).equals(content)).toBe(true);
});

test('a download that breaks off is an error, not a short document', async () => {
  const { uri } = await world.store.put(Readable.from([Buffer.alloc(500_000, 'x')]), limit);
  world.workspace.faults.add({ kind: 'half', method: 'GET', path: '/api/2.0/fs/files', times: 1 });
  const opened = await world.store.open(uri);
  await expect(opened && buffer(opened.bytes)).rejects.toThrow();
  world.workspace.faults.add({ kind: 'half', method: 'GET', path: '/api/2.0/fs/files', times: 1 });
  await expect(world.store.lendFile(uri, async () => 'used')).rejects.toThrow();
  expect(await filesBelow(world.drafts)).toEqual([]);
});

test('a missing grant is told in words that say what to grant to whom', async () => {
  world.workspace.app.grants.delete('volume:WRITE_VOLUME');
  const put = world.store.put(Readable.from([Buffer.from('x')]), limit);
  await expect(put).rejects.toThrow(
    /Grant .+ USE CATALOG on main, USE SCHEMA on main\.tickmark, and READ VOLUME and WRITE VOLUME/,
  );
});

test('more runs than fit on a page are all listed, and a folder within a run goes with it', async () => {
  const runs = Array.from({ length: 90 }, (_, n) => `run-${n}`);
  await Promise.all(runs.map((run) => world.store.writeRunFile(run, 'input.json', '{}')));
  await mkdir(
    path.join(path.dirname(mounted(await world.store.writeRunFile('run-1', 'a.json', '1'))), 'deep/er'),
    { recursive: true },
  );
  expect([...(await world.store.listRuns())].sort()).toEqual(runs.sort());
  await world.store.removeRunFiles('run-1');
  expect(await world.store.listRuns()).not.toContain('run-1');
});

test('a name with signs that mean something in an address reaches the volume as it is', async () => {
  const odd = await makeOddVolume();
  const { uri } = await odd.store.put(Readable.from([Buffer.from('x')]), limit);
  expect(await filesBelow(odd.workspace.mount)).toHaveLength(1);
  expect((await odd.store.open(uri))?.sizeBytes).toBe(1);
  await odd.close();
});

async function makeOddVolume(): Promise<World> {
  const volume = '/Volumes/main/50% off/a #1?+é';
  const workspace = await startWorkspace({ volume });
  const { host, clientId, clientSecret } = workspace;
  const client = createWorkspaceClient({ host, clientId, clientSecret, log: { warn() {}, debug() {} } });
  const drafts = await mkdtemp(path.join(os.tmpdir(), 'tickmark-drafts-'));
  return {
    ...world,
    workspace,
    store: createVolumeDocumentStore({ files: createVolumeFiles(client, volume), volume, drafts }),
    async close() {
      await client.close();
      await workspace.stop();
      await rm(drafts, { recursive: true });
    },
  };
}
