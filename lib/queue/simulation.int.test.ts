import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakeRunner, QueueWorld } from '@/test/queue-world';
import type { Delivery } from './callback';
import { cancelTask } from './cancel';
import type { ClaimedTask } from './claim';
import { extendLeases } from './lease';
import { setPriority } from './prioritise';
import { retryTask } from './retry-task';
import { writeCeilings } from './settings';
import { snoozeAttempt } from './snooze';
import { updateAgent } from './update-agent';

/** More by SIMULATION_RUNS; a failure prints its seed. */
const RUNS = Number(process.env.SIMULATION_RUNS ?? 25);

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());

/** Everything that can happen to a queue, in any order, at the same time, some of it twice; crashes are what is left out. */
class Chaos {
  private readonly known: ClaimedTask[] = [];
  private readonly sent: Delivery[] = [];
  private readonly runner = new FakeRunner({ state: 'alive' });
  private readonly results = new Map<string, unknown>();

  private any(pick: number): ClaimedTask | undefined {
    return this.known.length > 0 ? this.known[pick % this.known.length] : undefined;
  }

  private async send(about: ClaimedTask, body: Record<string, unknown>): Promise<void> {
    const delivery = world.delivery(about, body);
    this.sent.push(delivery);
    await world.deliver(delivery);
  }

  async step({ op, pick, size }: Step): Promise<void> {
    const about = this.any(pick);
    const agentId = ['invoice', 'contract', 'general'][pick % 3] as string;
    switch (op) {
      case 'enqueue':
        await world.enqueue(1 + (size % 4), {
          agentId,
          priority: size % 101,
          estimate: { tokens: size % 900, seconds: 9 },
        });
        return;
      case 'claim':
        this.known.push(...(await world.claim(1 + (size % 6), { workerId: `w${pick % 3}` })));
        return;
      case 'sweep':
        await world.expireLeases();
        for (const { attemptId } of this.known) {
          if ((size + attemptId.charCodeAt(0)) % 3 === 0)
            this.runner.states.set(`run-${attemptId}`, { state: 'gone' });
        }
        await world.sweep(this.runner, { redispatch: (task) => world.dispatch(task) });
        return;
      case 'due':
        await world.makeDue();
        return;
      case 'limits':
        await updateAgent(world.db, {
          agentId: 'invoice',
          changes: { maxConcurrentTasks: size % 4 },
          actor: 'user:1',
        });
        await writeCeilings(world.db, { maxConcurrentTasks: 1 + (size % 5), maxTpm: 300 + size });
        return;
    }
    if (!about) return;
    switch (op) {
      case 'dispatch':
        await world.dispatch(about);
        return;
      case 'succeed':
        return this.send(about, {
          type: 'attempt.succeeded',
          result: { documentType: `r${size}` },
          usage: { inputTokens: size },
        });
      case 'fail':
        return this.send(about, {
          type: 'attempt.failed',
          error: { code: 'internal', retryable: size % 4 > 0 },
        });
      case 'progress':
        return this.send(about, { type: 'attempt.progress', usage: { inputTokens: size } });
      case 'replay': {
        const delivery = this.sent[pick % Math.max(1, this.sent.length)];
        if (delivery) expect(await world.deliver(delivery)).toEqual(await world.deliver(delivery));
        return;
      }
      case 'cancel':
        await cancelTask(world.db, { taskId: about.taskId, actor: 'user:1' });
        return;
      case 'retry':
        await retryTask(world.db, { taskId: about.taskId, actor: 'user:1' });
        return;
      case 'snooze':
        await snoozeAttempt(world.db, {
          attemptId: about.attemptId,
          delaySeconds: size % 3,
          reason: 'full',
          actor: 'worker:1',
        });
        return;
      case 'prioritise':
        await setPriority(world.db, { taskId: about.taskId, priority: size % 101, actor: 'user:1' });
        return;
      case 'keep':
        await extendLeases(world.db, {
          attemptIds: this.known.map(({ attemptId }) => attemptId),
          leaseSeconds: 15,
        });
        return;
      case 'byHand':
        await world.db.execute(sql`
          update tickmark.tasks set status = ${size % 2 ? 'enqueued' : 'processing'}::tickmark.task_status
          where id = ${about.taskId}::uuid and status in ('enqueued', 'processing')`);
        return;
    }
  }

  /** What must hold at every instant at which nothing is under way. */
  async check(): Promise<void> {
    const { rows } = await world.db.execute<Record<string, number>>(sql`
      with live as (select task_id, id from tickmark.task_attempts where status in ('claimed', 'running')),
      won as (select task_id, count(*) as n from tickmark.task_attempts where status = 'succeeded' group by 1)
      select
        (select count(*)::int from live l join tickmark.tasks t on t.id = l.task_id where t.current_attempt_id is distinct from l.id) as "live but not current",
        (select count(*)::int from tickmark.tasks t where t.current_attempt_id is not null and t.id not in (select task_id from live)) as "current but not live",
        (select count(*)::int from tickmark.tasks t left join won w on w.task_id = t.id where (t.status = 'completed') <> (coalesce(w.n, 0) = 1)) as "not completed exactly once",
        (select count(*)::int from (select 1 from tickmark.task_events where to_status = 'completed' group by task_id having count(*) > 1) e) as "completed twice",
        (select count(*)::int from tickmark.tasks t where t.attempt_count <> (select count(*) from tickmark.task_attempts a where a.task_id = t.id and a.status <> 'snoozed')) as "attempts miscounted",
        (select count(*)::int from tickmark.tasks t where t.last_attempt_number <> (select count(*) from tickmark.task_attempts a where a.task_id = t.id)) as "numbers reused",
        (select count(*)::int from tickmark.tasks t where t.cancel_requested_at is not null and t.status = 'enqueued') as "cancelled but waiting",
        (select count(*)::int from tickmark.callback_deliveries group by attempt_id, webhook_id having count(*) > 1 limit 1) as "answered twice"`);
    for (const [what, n] of Object.entries(rows[0] ?? {})) expect(n ?? 0, what).toBe(0);

    const completed = await world.db.execute<{ id: string; result: unknown }>(sql`
      select id, result from tickmark.tasks where status = 'completed'`);
    for (const { id, result } of completed.rows) {
      if (this.results.has(id)) expect(result, 'a result that changed').toEqual(this.results.get(id));
      this.results.set(id, result);
    }
  }

  /** Once faults stop, everything ends by itself: no task is ever lost. */
  async settle(): Promise<void> {
    await world.db.execute(sql`update tickmark.agents set max_concurrent_tasks = null`);
    await writeCeilings(world.db, { maxConcurrentTasks: null, maxTpm: null });
    const gone = new FakeRunner({ state: 'gone' });
    for (let round = 0; round < 12; round++) {
      await world.makeDue();
      await world.expireLeases();
      await world.db.execute(
        sql`update tickmark.task_attempts set finished_at = finished_at - interval '5 min' where status = 'superseded'`,
      );
      await world.sweep(gone, { redispatch: (task) => world.dispatch(task) });
      for (const claimed of await world.claim(500)) await world.succeed(claimed);
    }
    const { rows } = await world.db.execute(sql`
      select id, status from tickmark.tasks where status in ('enqueued', 'processing')`);
    expect(rows).toEqual([]);
    const slots = await world.db.execute(sql`
      select id from tickmark.task_attempts where status = 'superseded' and run_stopped_at is null`);
    expect(slots.rows, 'slots that nothing frees').toEqual([]);
  }
}

const OPS = [
  'enqueue',
  'claim',
  'dispatch',
  'succeed',
  'fail',
  'progress',
  'replay',
  'cancel',
  'retry',
  'snooze',
  'prioritise',
  'keep',
  'sweep',
  'due',
  'limits',
  'byHand',
] as const;
interface Step {
  readonly op: (typeof OPS)[number];
  readonly pick: number;
  readonly size: number;
}
const weighted = fc.constantFrom<Step['op']>(
  ...OPS,
  'enqueue',
  'enqueue',
  'claim',
  'claim',
  'claim',
  'dispatch',
  'dispatch',
  'due',
);
const step: fc.Arbitrary<Step> = fc.record({
  op: weighted,
  pick: fc.nat({ max: 999 }),
  size: fc.nat({ max: 999 }),
});

it('invariants 1 to 6 hold after anything, in any order and at the same time, and everything ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 10, maxLength: 40 }),
      async (rounds) => {
        await world.reset();
        const chaos = new Chaos();
        await world.enqueue(3);
        await world.enqueue(3, { agentId: 'contract' });
        for (const round of rounds) {
          await Promise.all(round.map((one) => chaos.step(one)));
          await chaos.check();
        }
        await chaos.settle();
        await chaos.check();
      },
    ),
    { numRuns: RUNS, interruptAfterTimeLimit: 240_000 },
  );
}, 600_000);
