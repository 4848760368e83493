import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cancelTask } from '@/lib/queue/cancel';
import { claimTasks } from '@/lib/queue/claim';
import { setEstimate } from '@/lib/queue/estimate';
import { writeCeilings } from '@/lib/queue/settings';
import { exitOf } from '@/test/exit-of';
import { runs } from '@/test/run-fixture';
import { until } from '@/test/until';
import { createWorkerFixture, type TaskRow, type WorkerFixture } from '@/test/worker-fixture';

const run = promisify(execFile);
let world: WorkerFixture;
beforeEach(async () => {
  world = await createWorkerFixture();
});
afterEach(() => world.close());

const whenAll = (status: string) =>
  until(`all tasks ${status}`, async () => {
    const tasks = await world.tasks();
    return tasks.every((task) => task.status === status) ? tasks : null;
  });
const whenRunning = (taskId: string) =>
  until('a run with a child', async () => {
    const attempt = (await world.attempts(taskId)).at(-1);
    if (attempt?.status !== 'running') return null;
    return (await world.childPids(attempt.id)).length > 0 ? attempt : null;
  });
const go = () => writeFile(path.join(world.home, 'go'), '');
const waiting = () => `waitForFile:${path.join(world.home, 'go')}`;
const query = async (sql: string, values: unknown[] = []) => (await world.db.$client.query(sql, values)).rows;
const completedEvents = (task: TaskRow | undefined) =>
  query("select 1 from tickmark.task_events where task_id = $1 and to_status = 'completed'", [task?.id]);

test('documents go from upload to result, each in one attempt', async () => {
  await world.upload('succeed', 'succeed', 'progress', 'fail:corrupt_pdf');
  world.startWorker();
  const tasks = await until('all final', async () => {
    const rows = await world.tasks();
    return rows.every((task) => ['completed', 'failed'].includes(task.status)) ? rows : null;
  });
  expect(tasks.map((task) => task.status)).toEqual(['completed', 'completed', 'completed', 'failed']);
  expect(tasks.map((task) => task.attempt_count)).toEqual([1, 1, 1, 1]);
  expect(tasks[3]?.error_code).toBe('corrupt_pdf');
  expect(await completedEvents(tasks[0])).toHaveLength(1);
});

test.each(['file:///etc/passwd', '../secrets.json', ''])(
  'a document whose address (%j) is not one of this store fails in words, and waits for nobody',
  async (address) => {
    await world.upload('succeed');
    await query('update tickmark.documents set storage_uri = $1', [address]);
    await query('update tickmark.tasks set max_attempts = 1');
    world.startWorker();
    const [task] = await whenAll('failed');
    expect(task?.error_code).toBe('internal');
  },
);

test('with the app down all the time every document still completes, from its outbox', async () => {
  world.appIsUp = false;
  await world.upload('succeed', 'succeed', 'succeed');
  world.startWorker();
  const tasks = await whenAll('completed');
  expect(tasks.map((task) => task.attempt_count)).toEqual([1, 1, 1]);
});

test('B2: a worker killed in the middle of a run: the next one finds the run, and no second host is started', async () => {
  const [taskId = ''] = await world.upload(waiting());
  const first = world.startWorker();
  const attempt = await whenRunning(taskId);
  const host = await world.hostPid(attempt.id);
  first.kill('SIGKILL');
  await exitOf(first);
  world.startWorker();
  await query("update tickmark.tasks set lease_expires_at = now() - interval '1 second'");
  await until('the lease to be extended by the second worker', async () => {
    return (await query('select 1 from tickmark.tasks where lease_expires_at > now()')).length > 0;
  });
  expect(await world.liveHosts()).toEqual([host]);
  await go();
  const [task] = await whenAll('completed');
  expect(task?.attempt_count).toBe(1);
  expect(await world.attempts(taskId)).toHaveLength(1);
  expect(await world.childPids(attempt.id)).toHaveLength(1);
});

test('an attempt whose worker died before the dispatch is dispatched as the same attempt', async () => {
  const [taskId = ''] = await world.upload('succeed');
  await setEstimate(world.db, { taskId, tokens: 1, seconds: 1 });
  const [claimed] = await claimTasks(world.db, { workerId: 'dead', limit: 1, leaseSeconds: 60 });
  await query("update tickmark.tasks set lease_expires_at = now() - interval '1 second'");
  world.startWorker();
  await whenAll('completed');
  const attempts = await world.attempts(taskId);
  expect(attempts.map(({ id, status, claimed_by }) => ({ id, status, claimed_by }))).toEqual([
    { id: claimed?.attemptId, status: 'succeeded', claimed_by: 'dead' },
  ]);
});

test('M8: a worker that is killed while another is alive: its undispatched claims run at once, as the same attempts', async () => {
  await query('update tickmark.agents set paused = true');
  const [taskId = ''] = await world.upload('succeed');
  const doomed = world.startWorker();
  const registered = () => query('select id, lost_at from tickmark.workers where session_pid is not null');
  const [first] = await until('the first worker', async () => {
    const rows = await registered();
    return rows.length === 1 ? rows : null;
  });
  // Frozen, it can do nothing; claimed in its name with a lease that outlasts this test: only its session can tell.
  doomed.kill('SIGSTOP');
  await until('it to be frozen', async () => {
    const { stdout } = await run('ps', ['-o', 'state=', '-p', String(doomed.pid)]);
    return stdout.trim().startsWith('T');
  });
  await query('update tickmark.agents set paused = false');
  await setEstimate(world.db, { taskId, tokens: 1, seconds: 1 });
  const [claimed] = await claimTasks(world.db, { workerId: first?.id, limit: 1, leaseSeconds: 3600 });
  world.startWorker();
  await until('the second worker', async () => (await registered()).length === 2);
  doomed.kill('SIGKILL');
  await whenAll('completed');
  expect(await world.attempts(taskId)).toMatchObject([{ id: claimed?.attemptId, status: 'succeeded' }]);
});

test('B2: a worker whose database session is ended registers anew and goes on; nothing runs twice', async () => {
  const taskIds = await world.upload(waiting(), 'succeed');
  world.startWorker();
  const attempt = await whenRunning(taskIds[0] ?? '');
  const sessions = () => query('select session_pid from tickmark.workers where lost_at is null');
  const [before] = await sessions();
  await query('select pg_terminate_backend($1)', [before?.session_pid]);
  await until('a new session', async () => {
    const [now] = await sessions();
    return now && now.session_pid !== before?.session_pid;
  });
  await go();
  const tasks = await whenAll('completed');
  expect(tasks.map((task) => task.attempt_count)).toEqual([1, 1]);
  expect(await world.childPids(attempt.id)).toHaveLength(1);
});

test('a run whose host was killed is lost and tried again', async () => {
  const [taskId = ''] = await world.upload(waiting());
  world.startWorker();
  const attempt = await whenRunning(taskId);
  process.kill(await world.hostPid(attempt.id), 'SIGKILL');
  await until('the attempt to be lost', async () => (await world.attempts(taskId))[0]?.status === 'lost');
  await go();
  await query('update tickmark.tasks set available_at = now(), parked = null');
  const [task] = await whenAll('completed');
  expect(task?.attempt_count).toBe(2);
});

test('a reader that is killed in the middle of a run is tried again, and its task completes once', async () => {
  const [taskId = ''] = await world.upload(waiting());
  world.startWorker();
  const attempt = await whenRunning(taskId);
  for (const pid of await world.childPids(attempt.id)) process.kill(pid, 'SIGKILL');
  await until('the attempt to have failed', async () => {
    return (await world.attempts(taskId))[0]?.status === 'failed';
  });
  await go();
  await query('update tickmark.tasks set available_at = now(), parked = null');
  const [task] = await whenAll('completed');
  expect(task?.attempt_count).toBe(2);
  expect(await completedEvents(task)).toHaveLength(1);
});

test('B30: SIGTERM: nothing more is claimed, runs go on, no attempt is burnt', async () => {
  const taskIds = await world.upload(waiting(), waiting(), 'succeed');
  const worker = world.startWorker();
  const attempt = await whenRunning(taskIds[0] ?? '');
  await whenRunning(taskIds[1] ?? '');
  worker.kill('SIGTERM');
  expect(await exitOf(worker)).toBe(0);
  expect(await world.liveHosts()).toHaveLength(2);
  expect(await query('select 1 from tickmark.workers')).toEqual([]);
  const [, , third] = await world.tasks();
  expect(third).toMatchObject({ status: 'enqueued', attempt_count: 0 });
  await go();
  await until('the runs to report by themselves', async () => {
    const [one, two] = await world.tasks();
    return one?.status === 'completed' && two?.status === 'completed';
  });
  world.startWorker();
  await whenAll('completed');
  expect(await world.childPids(attempt.id)).toHaveLength(1);
});

test('a worker whose supervisor is gone leaves, and its runs go on', async () => {
  const [taskId = ''] = await world.upload(waiting());
  const worker = world.startWorker();
  await whenRunning(taskId);
  worker.disconnect();
  expect(await exitOf(worker)).toBe(0);
  expect(await world.liveHosts()).toHaveLength(1);
});

test('a shutdown of the whole installation stops the runs and gives their attempts back', async () => {
  const [taskId = ''] = await world.upload(waiting());
  const worker = world.startWorker();
  const attempt = await whenRunning(taskId);
  const children = await world.childPids(attempt.id);
  worker.send({ type: 'shutdown', stopRuns: true });
  expect(await exitOf(worker)).toBe(0);
  expect(await world.liveHosts()).toEqual([]);
  for (const pid of children) expect(await runs(pid)).toBe(false);
  expect((await world.tasks())[0]).toMatchObject({ status: 'enqueued', attempt_count: 0 });
  expect((await world.attempts(taskId))[0]?.status).toBe('snoozed');
  await go();
  world.startWorker();
  const [task] = await whenAll('completed');
  expect(task?.attempt_count).toBe(1);
  expect((await world.attempts(taskId)).map(({ number }) => number)).toEqual([1, 2]);
});

test('a shutdown stops the runs also when the database is gone', async () => {
  const [taskId = ''] = await world.upload(waiting());
  const worker = world.startWorker();
  await whenRunning(taskId);
  await world.breakDatabase();
  worker.send({ type: 'shutdown', stopRuns: true });
  await exitOf(worker);
  await until('the hosts to end', async () => (await world.liveHosts()).length === 0);
});

test('a cancelled task ends once its run has stopped', async () => {
  const [taskId = ''] = await world.upload(waiting());
  world.startWorker();
  await whenRunning(taskId);
  expect(await cancelTask(world.db, { taskId, actor: 'test' })).toBe('cancel_requested');
  await whenAll('cancelled');
  expect(await world.liveHosts()).toEqual([]);
});

test('MAX_CONCURRENT_TASKS=2 holds with two workers and room for eight runs', async () => {
  await writeCeilings(world.db, { maxConcurrentTasks: 2, maxTpm: null });
  await world.upload(...Array.from({ length: 12 }, () => 'succeed'));
  for (let n = 0; n < 2; n += 1) world.startWorker({ TICKMARK_RUNNER_SLOTS: '8' });
  await whenAll('completed');
  const overlaps = await query(`
    select max(overlapping)::integer as most from (
      select count(*) as overlapping
      from tickmark.task_attempts one
      join tickmark.task_attempts other
        on other.claimed_at <= one.claimed_at and other.finished_at > one.claimed_at
      group by one.id
    ) at_each_claim`);
  expect(overlaps[0]?.most).toBeLessThanOrEqual(2);
});

test('a row that was set to processing by hand is requeued and then completes', async () => {
  const [taskId = ''] = await world.upload('succeed');
  await query(
    "update tickmark.tasks set status = 'processing', lease_expires_at = now() - interval '1 minute' where id = $1",
    [taskId],
  );
  world.startWorker();
  await whenAll('completed');
  const events = await query("select 1 from tickmark.task_events where actor = 'sweeper'");
  expect(events.length).toBeGreaterThan(0);
});

test('all processes killed at once in the middle of the work: after a restart each document completes once', async () => {
  await world.upload(...Array.from({ length: 6 }, () => waiting()));
  const worker = world.startWorker();
  await until('two runs', async () => (await world.liveHosts()).length === 2);
  worker.kill('SIGKILL');
  for (const pid of await world.liveHosts()) process.kill(pid, 'SIGKILL');
  await exitOf(worker);
  await go();
  world.startWorker();
  await until('all to be claimed anew', async () => {
    await query("update tickmark.tasks set available_at = now(), parked = null where status = 'enqueued'");
    return (await world.tasks()).every((task) => task.status === 'completed');
  });
  for (const task of await world.tasks()) expect(await completedEvents(task)).toHaveLength(1);
});
