import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import { cancelTask } from './cancel';
import { enqueueTask, enqueueTasks } from './enqueue';
import { rejectTask, setEstimate } from './estimate';
import { setPriority } from './prioritise';
import { RETRY_PRIORITY, retryTask } from './retry-task';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const actor = 'user:1';
const task = { agentId: 'invoice', priority: 50, actor };

describe('enqueue', () => {
  it('has its source beside the TypeScript that calls it: the newest migration holds the same text', async () => {
    const source = await readFile('lib/queue/enqueue.sql', 'utf8');
    expect(await readFile('drizzle/0023_enqueue_tasks_v2.sql', 'utf8')).toBe(source);
  });

  it('B8: joins the transaction of its cause: both are there or neither', async () => {
    await expect(
      world.db.transaction(async (tx) => {
        await enqueueTask(tx, task);
        throw new Error('the upload failed');
      }),
    ).rejects.toThrow('the upload failed');
    const { rows } = await world.db.execute(sql`select from tickmark.tasks`);
    expect(rows).toEqual([]);
  });

  it('refuses an unknown agent, and then nothing of the bulk is there', async () => {
    await expect(enqueueTasks(world.db, [task, { ...task, agentId: 'nobody' }])).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await enqueueTasks(world.db, [])).toEqual([]);
    const { rows } = await world.db.execute(sql`select from tickmark.tasks`);
    expect(rows).toEqual([]);
  });

  it("takes the agent's number of attempts, and keeps any input that JSON can hold", async () => {
    await world.db.execute(sql`update tickmark.agents set max_attempts = 7 where id = 'invoice'`);
    const { id } = await enqueueTask(world.db, {
      ...task,
      input: { text: 'a\u0000b\ud800', list: [1, null] },
    });
    const row = await world.task(id);
    expect(row).toMatchObject({
      max_attempts: 7,
      input: { text: 'a\ufffdb\ufffd', list: [1, null] },
      status: 'enqueued',
    });
  });
});

describe('estimate', () => {
  it('C11: work that is no document needs none: nobody would inspect it', async () => {
    const { id } = await enqueueTask(world.db, task);
    await world.db.execute(sql`insert into tickmark.tasks (agent_id) values ('invoice')`);
    expect(await world.claim(10)).toHaveLength(2);
    expect((await world.task(id)).estimated_tokens).toBe(0);
  });

  it('makes a task claimable', async () => {
    const { id } = await enqueueTask(world.db, { ...task, documentId: await world.document() });
    expect(await world.claim(1)).toEqual([]);
    await setEstimate(world.db, { taskId: id, tokens: 12.3, seconds: 4 });
    expect(await world.claim(1)).toHaveLength(1);
    expect((await world.task(id)).estimated_tokens).toBe(13);
  });

  it('a permanent verdict fails the task without an attempt; a task that no longer waits is left alone', async () => {
    const { id } = await enqueueTask(world.db, task);
    const verdict = { code: 'corrupt_pdf', message: 'Damaged.', actor: 'inspect' };
    expect(await rejectTask(world.db, { taskId: id, ...verdict })).toBe('rejected');
    expect(await world.task(id)).toMatchObject({
      status: 'failed',
      error_code: 'corrupt_pdf',
      attempt_count: 0,
    });
    expect(await world.attempts(id)).toEqual([]);
    expect(await world.story(id)).toEqual(['>enqueued user', 'enqueued>failed inspect']);
    expect(await rejectTask(world.db, { taskId: id, ...verdict })).toBe('stale');
    const run = await world.running();
    expect(await rejectTask(world.db, { taskId: run.taskId, ...verdict })).toBe('stale');
  });
});

describe('operator retry', () => {
  it('B10: opens a new budget of attempts above bulk work and keeps the history', async () => {
    const [id] = await world.enqueue(1);
    const taskId = id as string;
    for (let i = 0; i < 3; i++) {
      await world.makeDue();
      const [claimed] = await world.claim(1);
      if (claimed) await world.fail(claimed);
    }
    expect((await world.task(taskId)).status).toBe('failed');
    expect(await retryTask(world.db, { taskId, actor })).toBe('enqueued');
    expect(await world.task(taskId)).toMatchObject({
      status: 'enqueued',
      attempt_count: 3,
      max_attempts: 6,
      lost_count: 0,
      priority: RETRY_PRIORITY,
      error_code: null,
      finished_at: null,
    });
    const [again] = await world.claim(1);
    expect(again).toMatchObject({ number: 4 });
    await world.fail(again as NonNullable<typeof again>);
    expect((await world.task(taskId)).status).toBe('enqueued');
    expect(await world.attempts(taskId)).toHaveLength(4);
  });

  it('a cancelled task too, without its old request; a completed or running one is left alone', async () => {
    const run = await world.running();
    expect(await retryTask(world.db, { taskId: run.taskId, actor })).toBe('noop');
    await cancelTask(world.db, { taskId: run.taskId, actor });
    await world.succeed(run);
    expect(await retryTask(world.db, { taskId: run.taskId, actor })).toBe('enqueued');
    expect((await world.task(run.taskId)).cancel_requested_at).toBeNull();
    const [again] = await world.claim(1);
    await world.succeed(again as NonNullable<typeof again>);
    expect(await retryTask(world.db, { taskId: run.taskId, actor })).toBe('noop');
    await expect(retryTask(world.db, { taskId: randomUUID(), actor })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('a task that inspect had rejected is inspected again', async () => {
    const { id } = await enqueueTask(world.db, { ...task, documentId: await world.document() });
    await rejectTask(world.db, { taskId: id, code: 'corrupt_pdf', message: '', actor: 'inspect' });
    await retryTask(world.db, { taskId: id, actor });
    expect(await world.claim(1)).toEqual([]);
    expect((await world.task(id)).status).toBe('enqueued');
  });
});

describe('priority', () => {
  it('M32: counts for the next claim, is noted once, and is refused outside 0 to 100', async () => {
    const [first, second] = await world.enqueue(2);
    const change = (taskId: string, priority: number) => setPriority(world.db, { taskId, priority, actor });
    expect(await change(second as string, 90)).toBe('changed');
    expect(await change(second as string, 90)).toBe('noop');
    await expect(change(first as string, 101)).rejects.toThrow();
    expect((await world.claim(2)).map((claimed) => claimed.taskId)).toEqual([second, first]);
    expect(
      (await world.story(second as string)).filter((line) => line === 'enqueued>enqueued user'),
    ).toHaveLength(1);
    await expect(change(randomUUID(), 1)).rejects.toMatchObject({ code: 'not_found' });
  });
});
