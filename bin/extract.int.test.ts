import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type StubApi, startStubApi } from '../test/stub-api';
import { bundleOptions } from './build-bundles.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOKEN = 'a-token-for-the-test';

let folder: string;
let api: StubApi;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tickmark-extract-'));
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const entryPoints = { extract: path.join(ROOT, 'bin/extract.ts') };
  await build({ ...bundleOptions(path.join(folder, 'dist')), entryPoints });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  api = await startStubApi(TOKEN);
});
afterEach(() => api.close());

async function extract(args: string[], token = TOKEN) {
  const child = spawn(process.execPath, [path.join(folder, 'dist', 'extract.mjs'), ...args], {
    cwd: folder,
    env: {
      NODE_ENV: 'test',
      TICKMARK_URL: api.url,
      TICKMARK_TOKEN: token,
      TICKMARK_HOME: folder,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: code as number, stdout, stderr };
}

async function write(names: string[]): Promise<string[]> {
  const files = names.map((name) => path.join(folder, name));
  for (const file of files) await writeFile(file, `content of ${file}`);
  return files;
}

test('--json prints one entry per file in order, failed and rejected ones too, and nothing else; exit 1', async () => {
  const files = await write(['b.pdf', 'bad.pdf', 'empty.pdf', 'a.pdf']);
  const { code, stdout, stderr } = await extract(['--json', ...files, files[0] ?? '']);
  const entries = JSON.parse(stdout) as { file: string; status: string; error: { code: string } | null }[];
  expect(entries.map(({ file, status, error }) => [path.basename(file), status, error?.code])).toEqual([
    ['b.pdf', 'completed', undefined],
    ['bad.pdf', 'failed', 'corrupt_pdf'],
    ['empty.pdf', 'rejected', 'empty_file'],
    ['a.pdf', 'completed', undefined],
    ['b.pdf', 'completed', undefined],
  ]);
  expect(Object.keys(entries[0] ?? {})).toEqual(
    'file taskId status agent documentType pages confidence fields warnings inputTokens outputTokens llmCostUsd error'.split(
      ' ',
    ),
  );
  expect(entries[0]).toMatchObject({
    agent: 'auto',
    fields: { grand_total: '12.50' },
    llmCostUsd: '0.0000018',
    pages: 2,
  });
  expect(stderr).toContain('bad.pdf: failed, corrupt_pdf: Damaged');
  expect(code).toBe(1);
});

test('exit 0 when every file completed; a folder means the PDFs in it; --out writes one file per document', async () => {
  const files = await write(['one.pdf', 'two.PDF', 'notes.txt']);
  const inbox = await mkdtemp(path.join(folder, 'inbox-'));
  for (const file of files) await copyFile(file, path.join(inbox, path.basename(file)));
  const out = path.join(folder, 'out');
  const { code } = await extract([inbox, inbox, '--out', out]);
  expect(code).toBe(0);
  expect((await readdir(out)).sort()).toEqual(['one (2).json', 'one.json', 'two (2).json', 'two.json']);
  expect(JSON.parse(await readFile(path.join(out, 'one.json'), 'utf8'))).toMatchObject({
    status: 'completed',
    result: { fields: [{ name: 'grand_total', page: 1 }] },
  });
});

test('a place for --out that can not be written is refused before anything is sent, exit 2', async () => {
  const [file = ''] = await write(['early.pdf']);
  const before = api.requests.length;
  for (const out of [file, path.join(file, 'out'), '/proc/tickmark/out']) {
    const { code, stdout, stderr } = await extract(['--json', '--out', out, file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`--out ${out} can't be written: `);
  }
  expect(api.requests).toHaveLength(before);
});

test('a file that is surely no PDF is rejected before anything of it is sent, as on the page; one by another name is sent', async () => {
  const [text = '', pdf = '', real = ''] = await write(['notes.txt', 'broken.pdf', 'scan.bin']);
  await writeFile(real, 'some bytes before\n%PDF-1.7\n');
  const before = api.requests.length;
  const { code, stdout, stderr } = await extract(['--json', text, pdf, real]);
  const entries = JSON.parse(stdout) as { status: string; taskId: string | null; error: unknown }[];
  expect(entries.map(({ status }) => status)).toEqual(['rejected', 'completed', 'completed']);
  expect(entries[0]).toMatchObject({ taskId: null, error: { code: 'not_a_pdf' } });
  expect(stderr).toContain('notes.txt: rejected, not_a_pdf: ');
  expect(api.requests.slice(before).filter((line) => line.includes('/documents'))).toHaveLength(2);
  expect(code).toBe(1);
});

test('an upload that meets a database away is tried again under the same idempotency key', async () => {
  api.refuseUploads(2);
  const { code } = await extract(await write(['again.pdf']));
  expect(code).toBe(0);
  const uploads = api.requests.filter((line) => line.includes('/documents'));
  expect(uploads).toHaveLength(3);
  expect(new Set(uploads).size).toBe(1);
});

test('exit 2 for what was typed wrong, with words: no file, a missing file, a priority, an agent, an option', async () => {
  const [file = ''] = await write(['x.pdf']);
  const wrong: [string[], RegExp][] = [
    [[], /missing required argument/],
    [['not-there.pdf'], /not-there.pdf is not there/],
    [[file, '--priority', '101'], /--priority 101: a whole number from 0 to 100/],
    [[file, '--agent', 'no-such-agent'], /There is no agent no-such-agent/],
    [[file, '--colour'], /unknown option '--colour'/],
  ];
  for (const [args, words] of wrong) {
    const { code, stdout, stderr } = await extract(['--json', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
  }
});

test('a token that is not known is told in words, exit 1', async () => {
  const { code, stderr } = await extract(await write(['y.pdf']), 'wrong');
  expect(code).toBe(1);
  expect(stderr).toMatch(/set TICKMARK_TOKEN/);
});
