import { workBulk } from '@/lib/queue/bulk';
import { claimTasks } from '@/lib/queue/claim';
import { setEstimate } from '@/lib/queue/estimate';
import { writeCeilings } from '@/lib/queue/settings';
import { sweepOnce } from '@/lib/queue/sweep';
import { tuneAgents } from '@/lib/queue/tune-agents';
import { updateAgent } from '@/lib/queue/update-agent';
import { whyNotRunning } from '@/lib/queue/why-not-running';
import { care, sweepOptions } from './care';
import { redispatch } from './dispatching';
import { AGENTS, type Lane, LEASE_SECONDS } from './lane';
import { abandon, passing } from './passing';
import { people } from './people';
import { reports, succeedAll } from './reports';
import { shiftClock } from './shifted-clock';
import { type Deeds, inRounds, type Op, type Step } from './step';
import { work } from './work';
import { type ApplyCallbacks, Broken, World } from './world';

const DEEDS: Deeds = { ...work, ...reports, ...care, ...people, ...passing };

/** Beside these a claim has nothing that moves what it counts, so that it can be counted exactly. */
const STILL: ReadonlySet<Op> = new Set([
  'claim',
  'rush',
  'enqueue',
  'register',
  'look',
  'clock',
  'snapshot',
  'prioritise',
]);

/** What went wrong, and in which round; a round after the last: while all was brought to its end. */
export interface Wrong {
  readonly error: unknown;
  readonly round: number;
}

export interface PlayOptions {
  readonly apply?: ApplyCallbacks;
  /** Whether everything is brought to its end afterwards; default true. */
  readonly toTheEnd?: boolean;
}

/** Plays a sequence and checks all invariants after each round; then heals everything and lets the queue run empty. */
export async function play(
  lane: Lane,
  steps: readonly Step[],
  { apply, toTheEnd = true }: PlayOptions = {},
): Promise<Wrong | null> {
  await lane.reset();
  const { rows } = await lane.watch.query<{ now: string }>('select clock_timestamp()::text as now');
  const w = new World(lane, apply);
  const began = rows[0]?.now ?? '';
  let played = 0;
  try {
    await work.enqueue(w, { a: 0, b: 2 });
    await work.enqueue(w, { a: 1, b: 9 });
    for (const round of inRounds(steps)) {
      w.alone = round.length === 1;
      await settled(round.map(({ op, a, b }) => DEEDS[op](w, { a, b })));
      const kinds = ['always'];
      if (round.every(({ op }) => STILL.has(op))) kinds.push('exact');
      if (w.alone && round[0]?.op === 'claim') kinds.push('lone');
      await check(w, began, kinds);
      played += 1;
    }
    if (toTheEnd) await end(w, began);
    return null;
  } catch (error) {
    return { error, round: played };
  } finally {
    shiftClock(0);
  }
}

/** Waits for all, whatever becomes of them; then the first error counts. */
async function settled(deeds: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(deeds)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

async function check(w: World, began: string, kinds: readonly string[]): Promise<void> {
  w.sort();
  if (w.unexpected.length > 0) throw w.unexpected[0];
  for (const [attemptId, starts] of w.runner.started) {
    if (starts > 1) throw new Broken(`invariant 6: ${starts} runs of attempt ${attemptId}`);
  }
  const alive = w.runner.alive().filter(({ noted, outbox }) => noted && !outbox);
  const about = {
    tasks: w.tasks.length,
    began,
    kinds,
    heard: [...w.heard.values()],
    alive: alive.map(({ attemptId }) => attemptId),
  };
  const { rows } = await w.lane.watch.query<{ broken: string }>({
    name: 'check',
    text: 'select * from watch.broken($1)',
    values: [JSON.stringify(about)],
  });
  if (rows.length > 0) throw new Broken(rows.map(({ broken }) => broken).join('\n'));
}

/** No task is lost: once faults stop, everything ends by itself. */
async function end(w: World, began: string): Promise<void> {
  w.alone = true;
  await heal(w);
  await drain(w, began);
}

/** Faults stop: limits are lifted by people, what cooled down recovers by itself. */
async function heal(w: World): Promise<void> {
  const changes = { paused: false, maxConcurrentTasks: null, maxTpm: null, oversize: 'run_alone' } as const;
  for (const agentId of AGENTS) await updateAgent(w.db, { agentId, changes, actor: 'user:1' });
  await writeCeilings(w.db, { maxConcurrentTasks: null, maxTpm: null });
  for (let step = 0; ; step += 1) {
    await passing.later(w, { a: 0, b: 3 });
    await passing.later(w, { a: 0, b: 4 });
    if ((await tuneAgents(w.db)).raised === 0) break;
    if (step > 30) throw new Broken('lowered limits that nothing raises again');
  }
  for (const worker of w.workers) worker.held = [];
}

const OPEN = `
  select 'task ' || id || ' is ' || status || coalesce(', parked ' || parked, '') as what from tickmark.tasks where status in ('enqueued', 'processing')
  union all select 'attempt ' || id || ' is ' || status from tickmark.task_attempts
  where finished_at is null or (status = 'superseded' and run_stopped_at is null)
  union all select 'bulk operation ' || action || ' is ' || status from tickmark.bulk_operations where status <> 'done'`;
const MAX_ROUNDS = 14;

/** Workers go on as they always do; everything must come to its end by itself: no task is ever lost. */
async function drain(w: World, began: string): Promise<void> {
  const options = sweepOptions(w, 'healer');
  for (let round = 0; ; round += 1) {
    while ((await workBulk(w.db)) === 'worked');
    // A minute passes: what waits is due, cooled down, quiet, and what was used is forgotten.
    for (const b of [0, 3, 4, 5]) await passing.later(w, { a: 0, b });
    await tuneAgents(w.db);
    await w.lane.watch.query(`
      update tickmark.tasks set lease_expires_at = clock_timestamp() - interval '1 second' where status = 'processing';
      update tickmark.settings set strays_checked_at = '-infinity'`);
    await inspectAll(w);
    await abandon(w);
    w.runner.stopAll();
    await sweepOnce(w.db, options);
    const claimed = await claimTasks(w.db, { workerId: 'healer', limit: 500, leaseSeconds: LEASE_SECONDS });
    w.know(claimed);
    await Promise.all(claimed.map((task) => redispatch(w, 'healer', task, 'takes')));
    await succeedAll(w);
    await care.reconcile(w, { a: 0, b: 6 });
    await check(w, began, ['always']);
    const { rows } = await w.lane.watch.query<{ what: string }>(OPEN);
    if (rows.length === 0) return;
    if (round === MAX_ROUNDS) {
      const why = [...(await whyNotRunning(w.db, w.tasks)).values()].filter(Boolean);
      const open = rows.map(({ what }) => what);
      throw new Broken(`invariant 1: not at an end: ${[...open, ...why].join('; ')}`);
    }
  }
}

async function inspectAll(w: World): Promise<void> {
  const { rows } = await w.lane.watch.query<{ id: string }>(
    `select id from tickmark.tasks where status = 'enqueued' and estimated_tokens is null`,
  );
  for (const { id } of rows) await setEstimate(w.db, { taskId: id, tokens: 10, seconds: 5 });
}
