import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAgentsFile } from '@/lib/config/agents-file';
import { bundleForTest } from '@/test/bundle';
import { until } from '@/test/until';
import { createWorkerFixture, type WorkerFixture } from '@/test/worker-fixture';

const HERE = fileURLToPath(new URL('.', import.meta.url));

let folder: string;
let agentsFile: string;
let world: WorkerFixture;

beforeAll(async () => {
  // Says clearly what is missing where there is no Python: CONTRIBUTING.md asks for 3.10 or later.
  execFileSync('python3', [
    '-c',
    'import sys; assert sys.version_info >= (3, 10), "Python 3.10 or later is needed"',
  ]);
  folder = await mkdtemp(path.join(os.tmpdir(), 'tickmark-python-agent-'));
  for (const name of ['agent.py', 'tickmark_agent.py', 'agents.json']) {
    await cp(path.join(HERE, name), path.join(folder, name));
  }
  agentsFile = path.join(folder, 'agents.json');
  await chmod(agentsFile, 0o644);
  const [program, inspect] = await Promise.all([
    bundleForTest('agent/external/main.ts'),
    bundleForTest('agent/inspect.ts'),
  ]);
  world = await createWorkerFixture({
    program,
    inspect,
    agentId: 'pdf-facts',
    environment: { TICKMARK_AGENTS_FILE: agentsFile },
  });
  world.startWorker();
  await until('the agent to be known', () => agentName('pdf-facts'));
});
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

async function agentName(id: string): Promise<string | undefined> {
  const { rows } = await world.db.$client.query('select name from tickmark.agents where id = $1', [id]);
  return rows[0]?.name;
}

async function pdf(title: string): Promise<Buffer> {
  const made = await PDFDocument.create();
  made.addPage();
  made.addPage();
  made.setTitle(title);
  return Buffer.from(await made.save({ useObjectStreams: false }));
}

async function finalTask(taskId: string | undefined) {
  return until('the task to be final', async () => {
    const task = (await world.tasks()).find(({ id }) => id === taskId);
    return task && ['completed', 'failed', 'cancelled'].includes(task.status) ? task : null;
  });
}

/** Puts another program in the agent's place; the run starts it anew, so it counts at once. */
async function program(python: string): Promise<void> {
  await writeFile(path.join(folder, 'agent.py'), python);
}

test('the Python agent completes a task: its result is what it found, and what the file does not say is null', async () => {
  const [taskId] = await world.upload({ filename: 'a.pdf', bytes: await pdf('Jahresabschluß (2025)') });
  const task = await finalTask(taskId);
  expect(task).toMatchObject({ status: 'completed', error_code: null, attempt_count: 1 });
  const fields = Object.fromEntries(task.result?.fields.map(({ name, value }) => [name, value]) ?? []);
  expect(fields).toMatchObject({
    pdf_version: '1.7',
    encrypted: 'no',
    title: 'Jahresabschluß (2025)',
    author: null,
    page_count: '2',
  });
});

test('while the app is down its answer waits in the outbox, and the worker takes it from there', async () => {
  world.appIsUp = false;
  try {
    const [taskId] = await world.upload({ filename: 'b.pdf', bytes: await pdf('b') });
    expect(await finalTask(taskId)).toMatchObject({ status: 'completed', attempt_count: 1 });
  } finally {
    world.appIsUp = true;
  }
});

test('a failure that it reports keeps its code', async () => {
  await program(
    'import sys\nfrom tickmark_agent import Agent\nAgent.from_input_file(sys.argv[1]).fail("no_text_found", "nothing", False)\n',
  );
  const [taskId] = await world.upload({ filename: 'c.pdf', bytes: await pdf('c') });
  expect(await finalTask(taskId)).toMatchObject({ status: 'failed', error_code: 'no_text_found' });
});

test('a program that ends without an answer is reported for it, and tried again', async () => {
  await world.db.$client.query(
    "update tickmark.agents set retry_base_seconds = 0, max_attempts = 2 where id = 'pdf-facts'",
  );
  await program('raise SystemExit(3)\n');
  const [taskId] = await world.upload({ filename: 'd.pdf', bytes: await pdf('d') });
  expect(await finalTask(taskId)).toMatchObject({
    status: 'failed',
    error_code: 'internal',
    attempt_count: 2,
  });
  const { rows } = await world.db.$client.query(
    'select error_message from tickmark.task_attempts where task_id = $1 and number = 2',
    [taskId],
  );
  expect(rows[0]?.error_message).toContain('ended without an answer (exit code 3)');
});

test('an answer in the outbox counts, although the program then met its time limit', async () => {
  await world.db.$client.query("update tickmark.agents set max_run_seconds = 5 where id = 'pdf-facts'");
  await program(
    `import sys, time
import tickmark_agent
tickmark_agent.FINAL_TRIES = 0
tickmark_agent.Agent.from_input_file(sys.argv[1]).succeed({"documentType": "x", "fields": []})
time.sleep(600)
`,
  );
  const [taskId] = await world.upload({ filename: 'f.pdf', bytes: await pdf('f') });
  expect(await finalTask(taskId)).toMatchObject({ status: 'completed', attempt_count: 1 });
  await world.db.$client.query("update tickmark.agents set max_run_seconds = 600 where id = 'pdf-facts'");
});

test('a cancelled run ends with the program and all that it started', async () => {
  const pids = path.join(folder, 'pids');
  await program(
    `import os, subprocess, sys, time
child = subprocess.Popen(["sleep", "600"])
open(${JSON.stringify(pids)}, "w").write(f"{os.getpid()} {child.pid}\\n")
time.sleep(600)
`,
  );
  const [taskId] = await world.upload({ filename: 'e.pdf', bytes: await pdf('e') });
  const content = await until('the program to run', async () => {
    const names = await readdir(folder);
    if (!names.includes('pids')) return null;
    const text = execFileSync('cat', [pids], { encoding: 'utf8' });
    return text.endsWith('\n') ? text : null;
  });
  await world.db.$client.query(
    'update tickmark.tasks set cancel_requested_at = clock_timestamp(), lease_expires_at = clock_timestamp() where id = $1',
    [taskId],
  );
  expect(await finalTask(taskId)).toMatchObject({ status: 'cancelled' });
  for (const pid of content.trim().split(' ').map(Number)) {
    await until(`process ${pid} to be gone`, () => !isRunning(pid));
  }
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['{', 'is not JSON'],
  ['{"agents":[{"id":"A b","name":"x","command":["x"]}]}', 'agents.0.id'],
  ['{"agents":[{"id":"a","name":"x","command":"rm -rf /"}]}', 'agents.0.command'],
  ['{"agents":[{"id":"a","name":"x","command":["x"]},{"id":"a","name":"y","command":["x"]}]}', 'twice'],
])('an agents file that can not be used (%s) is refused with the reason', async (content, why) => {
  const file = path.join(folder, 'wrong.json');
  await writeFile(file, content);
  expect(() => readAgentsFile(file)).toThrow(new RegExp(`^TICKMARK_AGENTS_FILE: .*${why}`));
});

test('an agents file that everybody may write is refused: it names programs to run', async () => {
  const file = path.join(folder, 'open.json');
  await writeFile(file, '{"agents":[]}');
  await chmod(file, 0o666);
  expect(() => readAgentsFile(file)).toThrow(/can be written by everybody/);
});

test('an id of an agent that Tickmark brings along is refused, and that agent stays as it is', async () => {
  const own = path.join(folder, 'own');
  await mkdir(own);
  const file = path.join(own, 'agents.json');
  await writeFile(file, '{"agents":[{"id":"invoice","name":"Mine","command":["true"]}]}');
  const worker = world.startWorker({ TICKMARK_AGENTS_FILE: file });
  expect(await new Promise((resolve) => worker.once('exit', resolve))).toBe(1);
  expect(await agentName('invoice')).toBe('Invoice');
});
