import type { Arena } from './arena';
import type { HoldPoint } from './database-proxy';
import { type Drill, type Finding, Findings } from './drill';
import { checkInvariants } from './invariants';
import { until } from './until';
import type { World, WorldOptions } from './world';

/** From `kill -9` to the work being in hands again, with another worker alive. */
const BY_SESSION_SECONDS = 2;

/** The drills that stop a worker at an exact statement, kill it there, and see who goes on. */
export const workerKilled: readonly Drill[] = [
  {
    name: 'worker-killed-claiming',
    promise:
      'A worker killed while it claims takes nothing with it, whether its claim was carried out or not.',
    async run(arena) {
      const findings = new Findings();
      const point = { statement: 'queue.claim' };
      findings.add(await killAt(arena, { what: 'not sent:', point }));
      findings.add(await killAt(arena, { what: 'carried out:', point: { ...point, passOn: true } }));
      return findings.done();
    },
  },
  {
    name: 'worker-killed-before-dispatch',
    promise: 'A claim whose worker died before it dispatched is dispatched by another, as the same attempt.',
    run: (arena) => killAt(arena, { point: { statement: 'documents.agent_definition' } }),
  },
  {
    name: 'worker-killed-before-recording',
    promise: 'A run that its worker could not note any more is found again; it is not started twice.',
    run: (arena) => killAt(arena, { point: { statement: 'queue.record_dispatch' }, isLong: true }),
  },
  {
    name: 'worker-killed-completing',
    promise: 'A worker killed while it completes a task leaves it completed once, or to be completed once.',
    async run(arena) {
      const findings = new Findings();
      const point = { statement: 'queue.complete', atCommit: true };
      findings.add(await killCompleting(arena, 'not committed:', point));
      findings.add(await killCompleting(arena, 'committed:', { ...point, passOn: true }));
      return findings.done();
    },
  },
  {
    name: 'worker-vanished',
    promise:
      'Where a worker’s machine vanishes and its session seems alive, the lease alone brings the work back.',
    async run(arena) {
      const findings = new Findings();
      for (const [leaseSeconds, limit] of [
        [15, 20],
        [5, 8],
      ] as const) {
        const what = `lease ${leaseSeconds} s:`;
        findings.add(
          await killAt(arena, {
            what,
            point: { statement: 'documents.agent_definition' },
            limit,
            leaseSeconds,
          }),
        );
      }
      return findings.done();
    },
  },
];

interface Kill extends WorldOptions {
  readonly what?: string;
  readonly point: HoldPoint;
  /** By the lease alone, within so many seconds: the killed one's session goes on. */
  readonly limit?: number;
  /** The run is not over before another worker finds it. */
  readonly isLong?: boolean;
}

/** One document on its way, its worker killed at the point, another one alive. */
async function killAt(arena: Arena, kill: Kill): Promise<Finding> {
  const findings = new Findings();
  const world = await arena.world(kill);
  world.proxy.keepSessions = kill.limit !== undefined;
  const first = await world.startWorker({ proxied: true });
  // One run is under way already: somebody must watch it all the time.
  const [watched = ''] = await world.submit({ documents: [`wait:${world.goFile}`] });
  await until('the first run', () => isRunning(world, watched));
  const taskId = await holdWithTask(world, kill);
  await world.startWorker();
  if (kill.limit !== undefined) await renewLeases(world);
  const killedAt = await world.kill(first);
  const watchedAgain = secondsUntilWatched(world, watched, killedAt);
  const dispatched = await until(
    'the dispatch',
    async () => {
      const [attempt] = await world.query<{ at: string }>(
        `select extract(epoch from dispatched_at) as at from tickmark.task_attempts
         where task_id = $1 and dispatched_at is not null order by number desc limit 1`,
        [taskId],
      );
      return attempt?.at;
    },
    40,
  );
  const limit = kill.limit ?? BY_SESSION_SECONDS;
  findings.within(`${kill.what ?? ''} dispatched after`.trim(), Number(dispatched) - killedAt, limit);
  findings.within('run watched again after', await watchedAgain, limit);
  world.go();
  await checkInvariants(world, findings);
  await expectOneAttemptEach(world, findings);
  return findings.done();
}

/** Submits a document and stops the worker at the point with it in its hands. */
async function holdWithTask(world: World, { point, isLong }: Kill): Promise<string> {
  for (;;) {
    const held = world.proxy.holdAt(point);
    const [taskId = ''] = await world.submit({ documents: [isLong ? `wait:${world.goFile}` : 'work:50'] });
    const { release } = await held;
    // A claim from before the document was there has nothing in its hands: the next one, then.
    if (point.statement !== 'queue.claim' || !point.passOn) return taskId;
    const claimed = until('the claim', async () => (await world.countIn('processing')) === 2, 1);
    if (await claimed.catch(() => false)) return taskId;
    release();
    await until('it to be done', async () => (await world.countIn('enqueued', 'processing')) === 1);
  }
}

/** The run's answer lies in its outbox, since the app is away; the worker is killed as it applies it. */
async function killCompleting(arena: Arena, what: string, point: HoldPoint): Promise<Finding> {
  const findings = new Findings();
  const world = await arena.world();
  world.receiver.meet = async () => null;
  const first = await world.startWorker({ proxied: true });
  const held = world.proxy.holdAt(point);
  const [taskId = ''] = await world.submit({ documents: ['work:50'] });
  await held;
  await world.startWorker();
  const killedAt = await world.kill(first);
  const finished = await until('the completion', async () => {
    const [task] = await world.query<{ at: string }>(
      'select extract(epoch from finished_at) as at from tickmark.tasks where id = $1 and finished_at is not null',
      [taskId],
    );
    return task?.at;
  });
  findings.within(`${what} completed after`, Math.max(0, Number(finished) - killedAt), BY_SESSION_SECONDS);
  await checkInvariants(world, findings);
  await expectOneAttemptEach(world, findings);
  return findings.done();
}

/** As if all had been claimed just now: the longest wait that there can be. */
async function renewLeases(world: World): Promise<void> {
  await world.query(
    `update tickmark.tasks set lease_expires_at = clock_timestamp() + make_interval(secs => $1)
     where status = 'processing'`,
    [world.leaseSeconds],
  );
}

async function isRunning(world: World, taskId: string): Promise<boolean> {
  const rows = await world.query(
    "select 1 from tickmark.task_attempts where task_id = $1 and status = 'running'",
    [taskId],
  );
  return rows.length > 0;
}

/**
 * A run that is alive has its lease renewed at the next look of whoever watches it, once a third of it is gone: it is
 * made so here. Once half of it is gone everybody looks, so it is not yet: this must show who takes over the share.
 */
async function secondsUntilWatched(world: World, taskId: string, since: number): Promise<number> {
  const left = 0.68 * world.leaseSeconds;
  await world.query(
    'update tickmark.tasks set lease_expires_at = clock_timestamp() + make_interval(secs => $2) where id = $1',
    [taskId, left],
  );
  return until('the lease of the run to be renewed', async () => {
    const [row] = await world.query<{ now: string; left: string }>(
      `select extract(epoch from clock_timestamp()) as now,
         extract(epoch from lease_expires_at - clock_timestamp()) as left
       from tickmark.tasks where id = $1`,
      [taskId],
    );
    return row && Number(row.left) > left ? Number(row.now) - since : null;
  });
}

/** Nothing was burnt: what was claimed by the one that died was gone on with. */
async function expectOneAttemptEach(world: World, findings: Findings): Promise<void> {
  const tasks = await world.tasks();
  const several = tasks.filter((task) => task.attempt_count !== 1);
  findings.expect(several.length === 0, `${several.length} tasks needed more than one attempt`);
  const other = tasks.filter((task) => task.status !== 'completed');
  findings.expect(other.length === 0, `${other.length} tasks were not completed`);
}
