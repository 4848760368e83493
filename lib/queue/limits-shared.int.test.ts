import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeRunner, QueueWorld } from '@/test/queue-world';
import type { ClaimedTask } from './claim';
import { writeCeilings } from './settings';
import { updateAgent } from './update-agent';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const limit = (changes: Parameters<typeof updateAgent>[1]['changes']) =>
  updateAgent(world.db, { agentId: 'invoice', changes, actor: 'user:test' });

/** As many workers as this claim at the same moment, one task each. */
const claimAtOnce = async (workers: number, limitEach = 1): Promise<ClaimedTask[][]> =>
  Promise.all(Array.from({ length: workers }, (_, n) => world.claim(limitEach, { workerId: `w${n}` })));

it('B19: what is refused uses up nothing: all limits are looked at first, and then all or none is taken', async () => {
  await limit({ maxConcurrentTasks: 5, maxTpm: 1000 });
  await writeCeilings(world.db, { maxConcurrentTasks: 5, maxTpm: 500 });
  // In flight: 100 of both budgets. The next one fits its agent's, but not the ceiling over all.
  await world.enqueue(1, { priority: 90, estimate: { tokens: 100, seconds: 1 } });
  await world.claim(1);
  await world.enqueue(1, { priority: 80, estimate: { tokens: 450, seconds: 1 } });
  for (let round = 0; round < 5; round += 1) {
    expect((await claimAtOnce(8)).flat()).toEqual([]);
  }
  // Had the refusals been charged to the agent (450 each) or to its count, nothing of this would fit.
  await world.enqueue(4, { estimate: { tokens: 100, seconds: 1 } });
  expect((await claimAtOnce(8)).flat()).toHaveLength(4);
  await writeCeilings(world.db, { maxConcurrentTasks: null, maxTpm: null });
  expect((await claimAtOnce(8)).flat()).toEqual([]);
  await limit({ maxConcurrentTasks: 6 });
  expect((await claimAtOnce(8)).flat()).toHaveLength(1);
});

it('B23: with a limit that equals the number of claimers nobody comes back empty-handed, round after round', async () => {
  const workers = 8;
  await limit({ maxConcurrentTasks: workers });
  await world.enqueue(workers * 10);
  for (let round = 0; round < 10; round += 1) {
    const claimed = await claimAtOnce(workers);
    // Whoever finds the limit's lock taken waits for it, and does not give up until its next look.
    expect(claimed.map((batch) => batch.length)).toEqual(Array(workers).fill(1));
    await Promise.all(claimed.flat().map((task) => world.succeed(task)));
  }
});

it('B6: a slot that is given back twice, by the sweeper and by the worker that was not dead, is free once', async () => {
  await limit({ maxConcurrentTasks: 2 });
  await world.enqueue(6);
  const [one, two] = (await world.claim(5)) as [ClaimedTask, ClaimedTask];
  await Promise.all([
    world.fail(one, { code: 'timeout' }),
    world.fail(one, { code: 'timeout' }),
    world.succeed(one),
    world.succeed(one),
  ]);
  expect((await claimAtOnce(8)).flat()).toHaveLength(1);
  await Promise.all([world.succeed(two), world.succeed(two), world.succeed(one)]);
  expect((await claimAtOnce(8)).flat()).toHaveLength(1);
  expect(await world.inFlight()).toBe(2);
});

it('B7: a slot whose holder vanished 30 hours ago counts until its run is known to be gone, and is free at that moment', async () => {
  await limit({ maxConcurrentTasks: 1 });
  const vanished = await world.running();
  await world.enqueue(1, { priority: 90 });
  await world.db.execute(sql`
    update tickmark.task_attempts
    set claimed_at = claimed_at - interval '30 hours', dispatched_at = dispatched_at - interval '30 hours'`);
  await world.expireLeases();
  const unreachable = new FakeRunner({ state: 'unreachable' });
  await world.sweep(unreachable);
  expect(await world.claim(1)).toEqual([]);
  // Given up at its time limit, it may still be running.
  expect((await world.attempt(vanished.attemptId)).status).toBe('superseded');
  await world.sweep(new FakeRunner({ state: 'gone' }));
  expect(await claimAtOnce(8)).toHaveLength(8);
  expect(await world.inFlight()).toBe(1);
});
