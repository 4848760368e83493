import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import type { ClaimedTask } from './claim';
import { recordFull, recordRefused } from './dispatch';
import { tuneAgents } from './tune-agents';
import { updateAgent } from './update-agent';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

interface AgentState extends Record<string, unknown> {
  cooling: number | null;
  tasks: number | null;
  tpm: number | null;
  reason: string | null;
}

async function agent(id = 'invoice'): Promise<AgentState> {
  const { rows } = await world.db.execute<AgentState>(sql`
    select extract(epoch from cooling_until - clock_timestamp())::float8 as cooling, lowered_concurrent_tasks as tasks,
      lowered_tpm as tpm, lowered_reason as reason
    from tickmark.agents where id = ${id}`);
  if (!rows[0]) throw new Error('no agent');
  return rows[0];
}

/** Lets time pass for an agent: what it waits for, and what was noted of it. */
const age = (seconds: number) =>
  world.db.execute(sql`
    update tickmark.agents set cooling_until = cooling_until - make_interval(secs => ${seconds}::float8),
      adapted_at = adapted_at - make_interval(secs => ${seconds}::float8),
      lowered_at = lowered_at - make_interval(secs => ${seconds}::float8)`);

const limit = (changes: Parameters<typeof updateAgent>[1]['changes']) =>
  updateAgent(world.db, { agentId: 'invoice', changes, actor: 'user:test' });

const tooMany = (task: ClaimedTask, retryAfterSeconds: number | null = 30) =>
  world.fail(task, { code: 'rate_limited', message: 'slower, please', retryAfterSeconds });

async function inFlight(n: number): Promise<[ClaimedTask, ...ClaimedTask[]]> {
  await world.enqueue(n);
  const claimed = await world.claim(n);
  if (!claimed[0] || claimed.length < n) throw new Error('too few claimed');
  return claimed as [ClaimedTask, ...ClaimedTask[]];
}

describe('back-off', () => {
  it('B16: a 429 cools the agent for every worker; Retry-After is a floor, jitter is upward', async () => {
    const [one, ...others] = await inFlight(4);
    await tooMany(one, 30);
    for (const task of others) await world.succeed(task);
    const { cooling } = await agent();
    expect(cooling).toBeGreaterThan(29);
    expect(cooling).toBeLessThanOrEqual(37.5);
    await world.enqueue(4);
    for (const workerId of ['w1', 'w2', 'w3']) expect(await world.claim(5, { workerId })).toEqual([]);
    await world.enqueue(1, { agentId: 'contract' });
    expect(await world.claim(5)).toHaveLength(1);
    await age(40);
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('B16: without a Retry-After it waits a little, and any other failure changes nothing', async () => {
    const [one, two] = await inFlight(2);
    await world.fail(one, { code: 'timeout' });
    expect(await agent()).toMatchObject({ cooling: null, tasks: null });
    await tooMany(two as ClaimedTask, null);
    expect((await agent()).cooling).toBeGreaterThan(4);
  });

  it('halves the effective limit, from what was in flight, once per burst, and the claim obeys it', async () => {
    await limit({ maxConcurrentTasks: 20 });
    const tasks = await inFlight(8);
    await Promise.all(tasks.slice(0, 4).map((task) => tooMany(task)));
    // Each of the burst found 8, 7, 6 or 5 in flight: whichever came first has halved it.
    const { tasks: lowered, reason } = await agent();
    expect([4, 3, 2]).toContain(lowered);
    expect(reason).toBe('rate_limited: slower, please');
    await age(40);
    await world.enqueue(20);
    expect(await world.claim(20)).toEqual([]);
    for (const task of tasks.slice(4)) await world.succeed(task);
    expect(await world.claim(20)).toHaveLength(lowered as number);
    // What was claimed under the lower limit and is told the same says that it is still too high.
    const { rows } = await world.db.execute<{ task_id: string; id: string }>(
      sql`select task_id, id from tickmark.task_attempts where finished_at is null limit 1`,
    );
    await tooMany({ taskId: rows[0]?.task_id, attemptId: rows[0]?.id } as ClaimedTask);
    expect((await agent()).tasks).toBe(Math.max(1, Math.floor((lowered as number) / 2)));
  });

  it('where no limit is set, one follows from what was in flight, exactly kept by eight claimers', async () => {
    const tasks = await inFlight(6);
    await tooMany(tasks[0]);
    expect((await agent()).tasks).toBe(3);
    await age(40);
    for (const task of tasks.slice(1)) await world.succeed(task);
    await world.enqueue(40);
    const batches = await Promise.all(
      Array.from({ length: 8 }, (_, n) => world.claim(5, { workerId: `w${n}` })),
    );
    expect(batches.flat()).toHaveLength(3);
  });

  it('a token budget is halved from what was used of it, and does not hold tasks for ever', async () => {
    await limit({ maxTpm: 10_000, oversize: 'hold' });
    await world.enqueue(2, { estimate: { tokens: 3000, seconds: 60 } });
    const [one, two] = await world.claim(2);
    await tooMany(one as ClaimedTask);
    expect(await agent()).toMatchObject({ tasks: null, tpm: 1500 });
    await age(40);
    await world.succeed(two as ClaimedTask, { usage: { inputTokens: 0, outputTokens: 0 } });
    await world.enqueue(2, { estimate: { tokens: 3000, seconds: 60 } });
    // More than the lowered budget, but not than the one that is set: it runs alone.
    expect(await world.claim(5)).toHaveLength(1);
    expect(await world.claim(5)).toEqual([]);
  });

  it('is raised step by step after quiet time, by whichever worker comes first, and then lifted', async () => {
    await limit({ maxConcurrentTasks: 8, maxTpm: 100_000 });
    const tasks = await inFlight(8);
    await tooMany(tasks[0]);
    expect((await tuneAgents(world.db)).raised).toBe(0);
    const steps: (number | null)[] = [];
    for (let i = 0; i < 20; i++) {
      steps.push((await agent()).tasks);
      if ((await agent()).reason === null) break;
      await age(60);
      const raised = await Promise.all([tuneAgents(world.db), tuneAgents(world.db), tuneAgents(world.db)]);
      expect(raised.reduce((sum, report) => sum + report.raised, 0)).toBe(1);
    }
    expect(steps.slice(0, 5)).toEqual([4, 5, 6, 7, null]);
    expect(await agent()).toMatchObject({ tasks: null, tpm: null, reason: null });
  });

  it('a token budget that is taken away takes its lowered one along', async () => {
    await limit({ maxTpm: 10_000 });
    const [one] = await inFlight(1);
    await tooMany(one);
    expect((await agent()).tpm).not.toBeNull();
    await limit({ maxTpm: null });
    await age(60);
    expect((await tuneAgents(world.db)).raised).toBe(1);
    expect(await agent()).toMatchObject({ tpm: null, reason: null });
    expect((await tuneAgents(world.db)).raised).toBe(0);
  });

  it("the runner's own 429 cools the agent too; a slot that was taken meanwhile does not", async () => {
    const [one, two, three] = await inFlight(3);
    const full = { retryAfterSeconds: 20, workerId: 'w1' };
    await recordFull(world.db, { ...full, attemptId: one.attemptId, everywhere: false });
    expect((await agent()).cooling).toBeNull();
    expect((await world.task(one.taskId)).attempt_count).toBe(0);
    await recordFull(world.db, { ...full, attemptId: (two as ClaimedTask).attemptId, everywhere: true });
    expect((await agent()).cooling).toBeGreaterThan(19);
    expect((await agent()).reason).toContain('runner');
    await world.reset();
    const [again] = await inFlight(1);
    await recordRefused(world.db, {
      attemptId: again.attemptId,
      code: 'rate_limited',
      message: 'runs',
      workerId: 'w1',
    });
    expect((await agent()).cooling).toBeGreaterThan(0);
    expect(three).toBeDefined();
  });

  it('settling takes no admission lock: a 429 is noted while a claim holds them all', async () => {
    await limit({ maxConcurrentTasks: 5, maxTpm: 1_000_000 });
    const [one, two] = await inFlight(2);
    await world.enqueue(5);
    await world.db.transaction(async (tx) => {
      await tx.execute(sql`select * from tickmark.claim_tasks_v3('slow', 1, 15)`);
      await tooMany(one);
      await world.succeed(two as ClaimedTask);
    });
    expect((await agent()).tasks).toBe(1);
  });
});

describe('drain', () => {
  it('stops claims, lets what is in flight finish, and notes when it has', async () => {
    const [one] = await inFlight(1);
    await world.enqueue(3);
    await limit({ draining: true });
    expect(await world.claim(5)).toEqual([]);
    expect((await tuneAgents(world.db)).drained).toBe(0);
    await world.succeed(one);
    expect((await tuneAgents(world.db)).drained).toBe(1);
    expect((await tuneAgents(world.db)).drained).toBe(0);
    const { rows } = await world.db.execute<{ action: string }>(
      sql`select action from tickmark.audit_log order by at desc limit 1`,
    );
    expect(rows[0]?.action).toBe('agent.drained');
    await limit({ paused: false });
    expect(await world.claim(5)).toHaveLength(3);
  });

  it('is not over while a superseded run may still go on', async () => {
    const [one] = await inFlight(1);
    await limit({ draining: true });
    await world.db.execute(sql`update tickmark.tasks set status = 'enqueued' where id = ${one.taskId}::uuid`);
    expect((await tuneAgents(world.db)).drained).toBe(0);
    await world.db.execute(sql`update tickmark.task_attempts set run_stopped_at = clock_timestamp()`);
    expect((await tuneAgents(world.db)).drained).toBe(1);
  });
});

describe('retry policy', () => {
  it("M36: waits as its agent says, and an operator's retry brings a new budget with its history kept", async () => {
    await limit({ retryBaseSeconds: 100, retryFactor: 3, retryCapSeconds: 200, maxAttempts: 2 });
    const first = await world.claimed();
    await world.fail(first);
    const { wait_seconds } = await world.task(first.taskId);
    expect(wait_seconds).toBeGreaterThan(49);
    expect(wait_seconds).toBeLessThanOrEqual(100);
    await world.makeDue();
    const [second] = await world.claim(1);
    await world.fail(second as ClaimedTask);
    expect(await world.task(first.taskId)).toMatchObject({ status: 'failed', attempt_count: 2 });
    expect(await world.attempts(first.taskId)).toHaveLength(2);
  });
});
