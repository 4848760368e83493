import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TASK_STATUSES, type TaskStatus } from '@/lib/contract/api';
import { FakeRunner, QueueWorld } from '@/test/queue-world';
import { cancelTask } from './cancel';
import { rejectTask } from './estimate';
import { moveTask } from './move-task';
import { setPriority } from './prioritise';
import { retryTask } from './retry-task';
import { snoozeAttempt } from './snooze';
import { isFinal, TRANSITIONS, type Transition, type TransitionName } from './states';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

/** A task with one attempt, brought to a status by the queue's own verbs. */
async function inStatus(status: TaskStatus): Promise<{ taskId: string; attemptId: string }> {
  const run = await world.running();
  if (status === 'enqueued') await world.fail(run);
  if (status === 'completed') await world.succeed(run);
  if (status === 'failed') await world.fail(run, { code: 'corrupt_pdf', retryable: false });
  if (status === 'cancelled') {
    await cancelTask(world.db, { taskId: run.taskId, actor: 'user:1' });
    await world.succeed(run);
  }
  return run;
}

const names = Object.keys(TRANSITIONS).filter((name) => name !== 'claim') as Exclude<
  TransitionName,
  'claim'
>[];

describe('every transition, from every status', () => {
  for (const name of names) {
    const { from, to, attempt }: Transition = TRANSITIONS[name];
    for (const status of TASK_STATUSES) {
      const legal = from.includes(status);
      it(`${name} from ${status} is ${legal ? 'legal' : 'refused, and changes nothing'}`, async () => {
        const { taskId, attemptId } = await inStatus(status);
        const before = {
          task: await world.task(taskId),
          attempt: await world.attempt(attemptId),
          story: await world.story(taskId),
        };
        const about = attempt ? { attemptId } : {};
        expect(await moveTask(world.db, name, { taskId, ...about, actor: 'user:1', reason: 'test' })).toBe(
          legal,
        );
        const after = await world.task(taskId);
        expect(after.status).toBe(legal ? to : status);
        if (!legal) {
          expect(await world.attempt(attemptId)).toEqual(before.attempt);
          expect(await world.story(taskId)).toEqual(before.story);
          return;
        }
        expect(after.finished_at !== null).toBe(isFinal(to));
        expect(after.current_attempt_id).toBeNull();
        expect(await world.story(taskId)).toEqual([...before.story, `${status}>${to} user`]);
        // What the step is not about, but was live, is superseded.
        const expected = attempt ?? (status === 'processing' ? 'superseded' : before.attempt.status);
        expect((await world.attempt(attemptId)).status).toBe(expected);
      });
    }
  }
});

/** What can happen to one running task at the same time. */
const EVENTS: Record<string, (run: { taskId: string; attemptId: string }) => Promise<unknown>> = {
  success: (run) => world.succeed(run),
  failure: (run) => world.fail(run),
  'permanent failure': (run) => world.fail(run, { code: 'corrupt_pdf', retryable: false }),
  progress: (run) => world.progress(run),
  cancel: ({ taskId }) => cancelTask(world.db, { taskId, actor: 'user:1' }),
  snooze: ({ attemptId }) =>
    snoozeAttempt(world.db, { attemptId, delaySeconds: 0, reason: 'full', workerId: 'w1' }),
  retry: ({ taskId }) => retryTask(world.db, { taskId, actor: 'user:2' }),
  reject: ({ taskId }) =>
    rejectTask(world.db, { taskId, code: 'corrupt_pdf', message: '', actor: 'inspect' }),
  priority: ({ taskId }) => setPriority(world.db, { taskId, priority: 77, actor: 'user:3' }),
  claim: () => world.claim(5),
  'loss found by two sweeps': async () => {
    await world.expireLeases();
    await Promise.all([1, 2].map(() => world.sweep(new FakeRunner({ state: 'gone' }))));
  },
};

/** Each step of a story starts where the one before ended, and the rows agree with its end. */
async function expectOneStory(taskId: string): Promise<void> {
  const { rows } = await world.db.execute<{ from_status: string | null; to_status: string }>(sql`
    select from_status::text, to_status::text from tickmark.task_events where task_id = ${taskId}::uuid order by id`);
  rows.slice(1).forEach((row, i) => {
    expect(row.from_status).toBe(rows[i]?.to_status);
  });
  const task = await world.task(taskId);
  expect(task.status).toBe(rows.at(-1)?.to_status);
  const attempts = await world.attempts(taskId);
  const live = attempts.filter(({ status }) => status === 'claimed' || status === 'running');
  expect(live.map(({ id }) => id)).toEqual(task.status === 'processing' ? [task.current_attempt_id] : []);
  expect(attempts.filter(({ status }) => status === 'succeeded')).toHaveLength(
    task.status === 'completed' ? 1 : 0,
  );
}

describe('any two things at once tell one story', () => {
  const events = Object.keys(EVENTS);
  for (const [i, one] of events.entries()) {
    for (const other of events.slice(i)) {
      it(`${one} and ${other}`, async () => {
        const run = await world.running();
        await Promise.all([EVENTS[one]?.(run), EVENTS[other]?.(run)]);
        await expectOneStory(run.taskId);
      });
    }
  }
});
