import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import { cancelTask, confirmCancelled } from './cancel';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const actor = 'user:1';

it('a waiting task is cancelled at once, and never claimed', async () => {
  const [taskId] = await world.enqueue(1);
  expect(await cancelTask(world.db, { taskId: taskId as string, actor })).toBe('cancelled');
  expect(await cancelTask(world.db, { taskId: taskId as string, actor })).toBe('noop');
  expect(await world.claim(1)).toEqual([]);
  expect(await world.story(taskId as string)).toEqual(['>enqueued user', 'enqueued>cancelled user']);
  expect((await world.task(taskId as string)).finished_at).not.toBeNull();
});

it('a task in processing only gets the request, once, and keeps its slot', async () => {
  const run = await world.running();
  expect(await cancelTask(world.db, { taskId: run.taskId, actor })).toBe('cancel_requested');
  expect(await cancelTask(world.db, { taskId: run.taskId, actor })).toBe('cancel_requested');
  const task = await world.task(run.taskId);
  expect(task).toMatchObject({ status: 'processing', current_attempt_id: run.attemptId });
  expect(task.cancel_requested_at).not.toBeNull();
  expect(
    (await world.story(run.taskId)).filter((line) => line === 'processing>processing user'),
  ).toHaveLength(1);
  expect(await world.inFlight()).toBe(1);
});

it('is confirmed only for the current attempt of a task whose cancel was requested', async () => {
  const run = await world.running();
  expect(await confirmCancelled(world.db, { attemptId: run.attemptId })).toBe('stale');
  await cancelTask(world.db, { taskId: run.taskId, actor });
  expect(await confirmCancelled(world.db, { attemptId: randomUUID() })).toBe('stale');
  expect(await confirmCancelled(world.db, { attemptId: run.attemptId })).toBe('cancelled');
  expect(await confirmCancelled(world.db, { attemptId: run.attemptId })).toBe('stale');
  expect(await world.attempt(run.attemptId)).toMatchObject({ status: 'cancelled' });
  expect((await world.attempt(run.attemptId)).run_stopped_at).not.toBeNull();
});

it('a row that was set to processing by hand has no run to wait for', async () => {
  const [taskId] = await world.enqueue(1);
  await world.db.execute(sql`update tickmark.tasks set status = 'processing' where id = ${taskId}::uuid`);
  expect(await cancelTask(world.db, { taskId: taskId as string, actor })).toBe('cancelled');
});

it('an unknown task, or no id at all, is not found', async () => {
  await expect(cancelTask(world.db, { taskId: randomUUID(), actor })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(cancelTask(world.db, { taskId: "1' or '1", actor })).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('B28: twenty cancels and twenty claims at once: each task is cancelled, or runs with its cancel requested', async () => {
  const ids = await world.enqueue(20);
  const [, ...outcomes] = await Promise.all([
    world.claim(20),
    ...ids.map((taskId) => cancelTask(world.db, { taskId, actor })),
  ]);
  for (const [i, taskId] of ids.entries()) {
    const task = await world.task(taskId);
    if (outcomes[i] === 'cancelled') expect(task.status).toBe('cancelled');
    else expect([task.status, task.cancel_requested_at !== null]).toEqual(['processing', true]);
  }
});
