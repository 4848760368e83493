import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '@/lib/config/schema';
import { checkHome } from '@/lib/queue/home';
import { bundleForTest } from '@/test/bundle';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { checkDatabase } from './doctor/check-database';

const ENDPOINT = 'projects/tickmark/branches/production/endpoints/primary';
const OTHER_ENDPOINT = 'projects/tickmark/branches/debug/endpoints/primary';
const BRANCH = 'lakebase:projects/tickmark/branches/production';

let scripts: { mask: string; adopt: string };
let database: TestDatabase;
let home: string;
beforeAll(async () => {
  scripts = { mask: await bundleForTest('bin/db-mask.ts'), adopt: await bundleForTest('bin/db-adopt.ts') };
});
beforeEach(async () => {
  database = await createTestDatabase();
  home = await mkdtemp(path.join(os.tmpdir(), 'tickmark-copies-'));
  await database.db.$client.query(`insert into tickmark.clients (name) values ('Real client')`);
});
afterEach(async () => {
  await database.close();
  await rm(home, { recursive: true, force: true });
});

/** Runs a command as from a person's shell, with DATABASE_URL alone but for what is given. */
function run(
  script: string,
  args: string[],
  variables: Record<string, string> = {},
): Promise<{ code: number; stderr: string }> {
  // Nothing of the machine's own settings but where programs are.
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'test',
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    TICKMARK_HOME: home,
    ...variables,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, _, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stderr }),
    );
  });
}

const state = async () =>
  (
    await database.db.$client.query(
      'select home, is_copy, environment_id, (select count(*)::int from tickmark.clients) as clients from tickmark.settings',
    )
  ).rows[0];

test('C4: a live database of Lakebase is neither masked nor adopted by DATABASE_URL alone', async () => {
  await checkHome(database.db, BRANCH);
  const before = await state();
  for (const script of [scripts.mask, scripts.adopt]) {
    const { code, stderr } = await run(script, ['--environment', before.environment_id]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Set LAKEBASE_ENDPOINT') });
  }
  const named = await run(scripts.mask, ['--environment', before.environment_id], {
    LAKEBASE_ENDPOINT: ENDPOINT,
  });
  expect(named).toEqual({ code: 1, stderr: expect.stringContaining('live here') });
  expect(await state()).toEqual(before);
});

test('C4: a copy is masked, or adopted, once its environment id is typed', async () => {
  await checkHome(database.db, BRANCH);
  const before = await state();
  const there = { LAKEBASE_ENDPOINT: OTHER_ENDPOINT };
  for (const script of [scripts.mask, scripts.adopt]) {
    for (const args of [[], ['--environment', 'anothers']]) {
      const { code, stderr } = await run(script, args, there);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining(`--environment ${before.environment_id}`),
      });
    }
  }
  expect(await state()).toEqual(before);
  const typed = ['--environment', before.environment_id];
  expect(await run(scripts.mask, typed, there)).toMatchObject({ code: 0 });
  expect(await state()).toMatchObject({ clients: 0, home: before.home });
  expect(await run(scripts.adopt, typed, there)).toMatchObject({ code: 0 });
  const after = await state();
  expect(after.home).toMatch(/^lakebase:projects\/tickmark\/branches\/debug#/);
  expect(after.environment_id).not.toBe(before.environment_id);
});

test('C4: the doctor tells of a copy, and notes nothing', async () => {
  const look = async (variables: Record<string, string>) => {
    const config = parseConfig({ DATABASE_URL: database.url, TICKMARK_HOME: home, ...variables }, home);
    return (await checkDatabase(config, null)).map(({ text }) => text).join('\n');
  };
  const nowhere = await state();
  expect(await look({})).toMatch(/at home here/);
  expect(await state()).toEqual(nowhere);
  await checkHome(database.db, BRANCH);
  const before = await state();
  expect(await look({})).toMatch(/Set LAKEBASE_ENDPOINT/);
  expect(await look({ LAKEBASE_ENDPOINT: OTHER_ENDPOINT })).toMatch(/is a copy/);
  expect(await state()).toEqual(before);
});
