import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import type { ClaimedTask } from './claim';
import { MAX_OUTAGE_SECONDS } from './retry';
import { retryTask } from './retry-task';
import { tuneAgents } from './tune-agents';
import { whyNotRunning } from './why-not-running';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

/** Lets time pass: everything was so long ago. */
async function pass(seconds: number): Promise<void> {
  const ago = sql`make_interval(secs => ${seconds}::float8)`;
  await world.db.execute(
    sql`update tickmark.tasks set available_at = available_at - ${ago} where status = 'enqueued'`,
  );
  await world.db.execute(sql`
    update tickmark.task_attempts set claimed_at = claimed_at - ${ago}, dispatched_at = dispatched_at - ${ago},
      finished_at = finished_at - ${ago}, run_stopped_at = run_stopped_at - ${ago}`);
  await world.db.execute(sql`update tickmark.task_events set at = at - ${ago}`);
  await world.db.execute(sql`
    update tickmark.agents set cooling_until = cooling_until - ${ago}, lowered_at = lowered_at - ${ago},
      adapted_at = adapted_at - ${ago}`);
}

/** Until an agent or a task may be tried again; in seconds, at least a little. */
async function untilNext(): Promise<number> {
  const { rows } = await world.db.execute<{ wait: number }>(sql`
    select greatest(0.1,
      (select extract(epoch from cooling_until - clock_timestamp()) from tickmark.agents where id = 'invoice'),
      (select extract(epoch from min(available_at) - clock_timestamp()) from tickmark.tasks where status = 'enqueued')
    )::float8 as wait`);
  return rows[0]?.wait ?? 0.1;
}

const agent = async () => {
  const { rows } = await world.db.execute<{
    cooling: number | null;
    tasks: number | null;
    reason: string | null;
  }>(sql`
    select extract(epoch from cooling_until - clock_timestamp())::float8 as cooling, lowered_concurrent_tasks as tasks,
      lowered_reason as reason
    from tickmark.agents where id = 'invoice'`);
  return rows[0];
};

/** The model is away for so long: whatever is claimed fails after the model client's own tries. Returns the ends. */
async function outage(seconds: number, error: Record<string, unknown> = { code: 'model_unavailable' }) {
  let ends = 0;
  for (let left = seconds; left > 0; ) {
    const claimed = await world.claim(10);
    if (claimed.length > 0) await pass(8);
    for (const task of claimed) await world.fail(task, error);
    ends += claimed.length;
    if (!(await statuses()).enqueued) break;
    const wait = await untilNext();
    await pass(wait);
    await tuneAgents(world.db);
    left -= wait + (claimed.length > 0 ? 8 : 0);
  }
  return ends;
}

const statuses = async () => {
  const { rows } = await world.db.execute<{ status: string; n: number }>(
    sql`select status, count(*)::int as n from tickmark.tasks group by 1`,
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};

async function completeAll(): Promise<void> {
  for (let rounds = 0; rounds < 200; rounds += 1) {
    const claimed = await world.claim(10);
    for (const task of claimed) await world.succeed(task);
    if (!(await statuses()).enqueued) return;
    await pass(await untilNext());
    await tuneAgents(world.db);
  }
}

describe('a model that is away', () => {
  it.each([120, 7200])('B16: for %d s fails no document, and nobody hammers at its door', async (seconds) => {
    await world.enqueue(20);
    const ends = await outage(seconds);
    expect(await statuses()).toEqual({ enqueued: 20 });
    // Ten start at once, the next ones are fewer each time, then it is one a minute.
    expect(ends).toBeLessThan(25 + seconds / 40);
    await completeAll();
    expect(await statuses()).toEqual({ completed: 20 });
  });

  it('B16: a single document outlasts it too, with an agent that allows one attempt', async () => {
    await world.db.execute(sql`update tickmark.agents set max_attempts = 1, retry_cap_seconds = 5`);
    await world.enqueue(1);
    await outage(7200);
    expect(await statuses()).toEqual({ enqueued: 1 });
    await outage(3600, { code: 'rate_limited', retryAfterSeconds: 60 });
    await completeAll();
    expect(await statuses()).toEqual({ completed: 1 });
  });

  it('B37: for good ends in a failure that says so, after six hours', async () => {
    const [id = ''] = await world.enqueue(1);
    await outage(MAX_OUTAGE_SECONDS - 600);
    expect((await world.task(id)).status).toBe('enqueued');
    await outage(3600);
    expect(await world.task(id)).toMatchObject({ status: 'failed', error_code: 'model_unavailable' });
    // Whoever has mended it begins anew.
    await retryTask(world.db, { taskId: id, actor: 'user:1' });
    await outage(7200);
    expect((await world.task(id)).status).toBe('enqueued');
  });

  it('waits a quarter of how long it has been so, from 5 s up to a minute, or what is asked for', async () => {
    const waits: number[] = [];
    await world.enqueue(30);
    for (let i = 0; i < 12; i += 1) {
      const [task] = await world.claim(1);
      await world.fail(task as ClaimedTask, { code: 'model_unavailable' });
      waits.push((await agent())?.cooling ?? 0);
      await pass((waits.at(-1) ?? 0) + 8);
    }
    expect(waits[0]).toBeGreaterThan(4.9);
    expect(waits[0]).toBeLessThanOrEqual(6.25);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(75);
    expect(waits.at(-1)).toBeGreaterThan(20);
    const [task] = await world.claim(1);
    await world.fail(task as ClaimedTask, { code: 'model_unavailable', retryAfterSeconds: 200 });
    expect((await agent())?.cooling).toBeGreaterThan(199);
  });

  it('is not away when it has just answered another, nor when it refuses our key', async () => {
    await world.enqueue(4);
    const [answered, garbled, refused, late] = (await world.claim(4)) as [
      ClaimedTask,
      ClaimedTask,
      ClaimedTask,
      ClaimedTask,
    ];
    await world.fail(refused, { code: 'model_unavailable', retryable: false });
    expect(await agent()).toMatchObject({ cooling: null, tasks: null });
    expect((await world.task(refused.taskId)).status).toBe('failed');
    await world.succeed(answered);
    await world.fail(garbled, { code: 'model_unavailable' });
    expect(await agent()).toMatchObject({ cooling: null, tasks: null });
    await pass(11);
    await world.fail(late, { code: 'model_unavailable' });
    expect((await agent())?.cooling).toBeGreaterThan(0);
  });

  it('B15: one document that the model can not answer uses up its attempts, as any other failure does', async () => {
    const [id = ''] = await world.enqueue(1);
    for (let i = 0; i < 3; i += 1) {
      await pass(400);
      const [task] = await world.claim(1);
      await world.deliver(
        world.delivery(task as ClaimedTask, {
          type: 'attempt.failed',
          usage: { inputTokens: 1000, outputTokens: 10 },
          error: { code: 'model_unavailable', message: 'no JSON, asked twice', retryable: true },
        }),
      );
    }
    expect(await world.task(id)).toMatchObject({ status: 'failed', attempt_count: 3 });
  });

  it('N6: says why nothing runs', async () => {
    await world.db.execute(
      sql`insert into tickmark.workers (id, host, pid, version) values ('w1', 'here', 1, '0')`,
    );
    const [failing, waiting = ''] = await world.enqueue(2);
    const [task] = await world.claim(1);
    expect(task?.taskId).toBe(failing);
    await world.fail(task as ClaimedTask, { code: 'model_unavailable', message: 'no route' });
    expect((await whyNotRunning(world.db, [waiting])).get(waiting)).toMatch(
      /^The agent "Invoice" waits [567] s because the model is not available\.$/,
    );
    expect((await agent())?.reason).toBe('model_unavailable: no route');
  });
});
