import { afterAll, beforeAll, expect, test } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import { byHand, writeTask } from '@/test/story';
import { readBilledRuns } from './read-billed-runs';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());

test('M18: of attempts that have one run, all but the first are marked, whichever are asked for', async () => {
  const attempts = [{ status: 'succeeded' as const }];
  for (const agent of ['invoice', 'contract', 'contract']) {
    await writeTask(world.db, { agent, status: 'completed', attempts });
  }
  const { rows } = await byHand(world.db, (client) =>
    client.query<{ id: string; agent_id: string }>(
      `update tickmark.task_attempts a set run_id = case when n = 3 then '78' else '77' end
       from (select id, row_number() over (order by id) as n from tickmark.task_attempts) o
       where a.id = o.id returning a.id, a.agent_id`,
    ),
  );
  const [first, second, third] = rows.map(({ id }) => id).sort();
  const marked = async (agent?: string) => {
    const runs = await readBilledRuns(world.db, { agent: agent ? [agent] : undefined }, null);
    return new Map(runs.map(({ attemptId, isBilledElsewhere }) => [attemptId, isBilledElsewhere]));
  };
  const all = [
    [first, false],
    [second, true],
    [third, false],
  ] as const;
  expect(await marked()).toEqual(new Map(all));
  expect(await marked('contract')).toEqual(new Map(all.slice(1)));
});
