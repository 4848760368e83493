import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import type { Moment } from './moment';
import { Moments, restAfter } from './moments';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());

const countTasks = async ({ tx }: Moment) => {
  const { rows } = await tx.execute<{ n: number }>(sql`select count(*)::int as n from tickmark.tasks`);
  return rows[0]?.n ?? 0;
};

test('what is asked at one time is read at one moment, and equal questions once', async () => {
  const moments = new Moments(world.db);
  const seen: Moment[] = [];
  const ask = (key: string) =>
    moments.ask(key, async (moment) => {
      seen.push(moment);
      return countTasks(moment);
    });
  const [a, b, again] = await Promise.all([ask('a'), ask('b'), ask('a')]);
  expect([a, b, again]).toEqual([0, 0, 0]);
  expect(seen.length).toBe(2);
  expect(seen[0]).toBe(seen[1]);
});

test('each is answered with what was true after it was asked, also while another moment is being read', async () => {
  const moments = new Moments(world.db);
  const [under, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = moments.ask('tasks', async (moment) => {
    const count = await countTasks(moment);
    under.resolve();
    await go.promise;
    return count;
  });
  await under.promise;
  await world.enqueue(3);
  const later = [moments.ask('tasks', countTasks), moments.ask('tasks', countTasks)];
  go.resolve();
  expect(await first).toBe(0);
  expect(await Promise.all(later)).toEqual([3, 3]);
});

test('a question that fails fails alone', async () => {
  const moments = new Moments(world.db);
  const all = await Promise.allSettled([
    moments.ask('good', countTasks),
    moments.ask('bad', ({ tx }) => tx.execute(sql`select 1 / 0`)),
    moments.ask('good too', countTasks),
  ]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await moments.ask('bad', countTasks)).toBe(3);
});

test('what all need may take a fifth of the time, and nobody waits longer than a second for the next moment', () => {
  expect(restAfter(20)).toBe(0);
  expect(restAfter(100)).toBe(400);
  expect(restAfter(5_000)).toBe(1_000);
});
