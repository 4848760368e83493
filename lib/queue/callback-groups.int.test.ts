import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { priceUsages } from '@/lib/usage/price';
import { QueueWorld } from '@/test/queue-world';
import { applyCallbacks, type CallbackHooks, type Delivery } from './callback';
import { createCallbackGroups } from './callback-groups';
import type { ClaimedTask } from './claim';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const APPLIED = { outcome: 'applied', stop: false };
const NOOP = { outcome: 'noop', stop: false };

async function running(count: number): Promise<ClaimedTask[]> {
  await world.enqueue(count);
  return world.claim(count);
}

const success = (run: ClaimedTask, webhookId?: string) =>
  world.delivery(run, { type: 'attempt.succeeded' }, webhookId);

/** All of them at once, so that they arrive together. */
function deliverTogether(deliveries: readonly Delivery[], hooks: Partial<CallbackHooks> = {}) {
  let failed = 0;
  const groups = createCallbackGroups({
    db: world.db,
    hooks: { priceUsages, ...hooks },
    onGroupFailed: () => {
      failed += 1;
    },
  });
  const settled = Promise.allSettled(deliveries.map((delivery) => groups.apply(delivery, 1_000)));
  return settled.then((outcomes) => ({
    failed,
    answers: outcomes.map((outcome) =>
      outcome.status === 'rejected'
        ? String(outcome.reason.message)
        : 'outcome' in outcome.value
          ? outcome.value
          : outcome.value.code,
    ),
  }));
}

const transactions = async () => {
  const { rows } = await world.db.execute<{ n: number }>(
    sql`select count(distinct xmin::text)::int as n from tickmark.task_attempts where last_sign_at is not null`,
  );
  return rows[0]?.n;
};

it('callbacks that arrive together share a transaction and each gets its answer after the commit', async () => {
  const runs = await running(40);
  const { answers } = await deliverTogether(runs.map((run) => success(run)));
  expect(answers).toEqual(Array(40).fill(APPLIED));
  expect(await transactions()).toBe(1);
  for (const run of runs) {
    expect(await world.task(run.taskId)).toMatchObject({ status: 'completed', current_attempt_id: null });
  }
});

it('B44: a delivery 50 times and 20 others of its task in one group: one is applied, all get their own answer', async () => {
  const [run] = await running(1);
  if (!run) throw new Error('nothing was claimed');
  const same = success(run, 'the same');
  const others = Array.from({ length: 20 }, () => success(run));
  const { answers } = await deliverTogether([...Array(50).fill(same), ...others]);
  expect(answers).toEqual([...Array(50).fill(APPLIED), ...Array(20).fill(NOOP)]);
  expect((await world.story(run.taskId)).filter((line) => line.includes('>completed'))).toHaveLength(1);
});

it('what follows in a group is decided on what went before: progress, success, failure of one task', async () => {
  const [run] = await running(1);
  if (!run) throw new Error('nothing was claimed');
  const { answers } = await deliverTogether([
    world.delivery(run, { type: 'attempt.progress', progress: { done: 1, total: 2 } }),
    success(run),
    world.delivery(run, { type: 'attempt.failed' }),
  ]);
  expect(answers).toEqual([APPLIED, APPLIED, NOOP]);
  expect(await world.task(run.taskId)).toMatchObject({ status: 'completed', attempt_count: 1 });
  expect(await transactions()).toBe(1);
});

it('one group may hold successes, failures, progress, cancels, strangers and impostors', async () => {
  const [ok, bad, permanent, going, told] = await running(5);
  if (!ok || !bad || !permanent || !going || !told) throw new Error('five were to be claimed');
  await world.db.execute(
    sql`update tickmark.tasks set cancel_requested_at = now() where id = ${told.taskId}::uuid`,
  );
  const stranger = { taskId: ok.taskId, attemptId: randomUUID() };
  const impostor = { taskId: ok.taskId, attemptId: going.attemptId };
  const { answers, failed } = await deliverTogether([
    success(ok),
    world.delivery(bad, { type: 'attempt.failed' }),
    world.delivery(permanent, {
      type: 'attempt.failed',
      error: { code: 'password_required', message: '', retryable: false },
    }),
    world.delivery(going, { type: 'attempt.progress', progress: { done: 3, total: 9 } }),
    success(told),
    world.delivery(stranger, { type: 'attempt.progress' }),
    world.delivery(impostor, { type: 'attempt.succeeded' }),
  ]);
  expect(failed).toBe(0);
  expect(answers).toEqual([
    APPLIED,
    APPLIED,
    APPLIED,
    APPLIED,
    { outcome: 'applied', stop: true },
    'not_found',
    'bad_request',
  ]);
  const statuses = await Promise.all(
    [ok, bad, permanent, going, told].map(async ({ taskId }) => (await world.task(taskId)).status),
  );
  expect(statuses).toEqual(['completed', 'enqueued', 'failed', 'processing', 'cancelled']);
});

it('a member that breaks the group is alone in its error; the others are tried singly and applied once', async () => {
  const runs = await running(12);
  const poison = runs[5]?.taskId;
  const seen: string[] = [];
  const { answers, failed } = await deliverTogether(
    runs.map((run) => success(run)),
    {
      onCompleted: async (_, { taskId }) => {
        if (taskId === poison) throw new Error('boom');
        seen.push(taskId);
      },
    },
  );
  expect(failed).toBe(1);
  expect(answers.filter((answer) => answer === 'boom')).toHaveLength(1);
  expect(answers[5]).toBe('boom');
  expect((await world.task(poison ?? '')).status).toBe('processing');
  const completed = await Promise.all(runs.map(async ({ taskId }) => (await world.task(taskId)).status));
  expect(completed.filter((status) => status === 'completed')).toHaveLength(11);
  for (const { taskId } of runs) {
    const ends = (await world.story(taskId)).filter((line) => line.includes('>completed'));
    expect(ends).toHaveLength(taskId === poison ? 0 : 1);
  }
});

it('groups that hold the same tasks in opposite order, at once, never deadlock into an error', async () => {
  const runs = await running(30);
  const forth = runs.map((run) => world.delivery(run, { type: 'attempt.progress' }));
  const back = [...runs].reverse().map((run) => success(run));
  const hooks = { priceUsages };
  const [one, other] = await Promise.all([
    applyCallbacks(world.db, forth, hooks),
    applyCallbacks(world.db, back, hooks),
  ]);
  expect(other).toEqual(Array(30).fill(APPLIED));
  expect(one.every((answer) => !(answer instanceof Error))).toBe(true);
});

it('B14: a group is found by ids, never by walking all that is in processing', async () => {
  await world.enqueue(3_000);
  await world.claim(1000);
  await world.claim(1000);
  const runs = await world.claim(20);
  await world.db.execute(sql`analyze tickmark.tasks`);
  const before = await read();
  const { answers } = await deliverTogether(runs.map((run) => success(run)));
  expect(answers).toEqual(Array(20).fill(APPLIED));
  expect((await read()) - before).toBeLessThan(100);
});

/** Entries that scans of the partial index of all in processing have returned so far. */
async function read(): Promise<number> {
  await world.db.execute(sql`select pg_stat_force_next_flush()`);
  const { rows } = await world.db.execute<{ n: number }>(sql`
    select (idx_tup_read)::int as n from pg_stat_user_indexes where indexrelname = 'tasks_processing'`);
  return rows[0]?.n ?? 0;
}
