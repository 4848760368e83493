import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DeafDatabase, deafDatabase } from '@/test/deaf-database';
import { until } from '@/test/until';
import { createWorkerFixture, type WorkerFixture } from '@/test/worker-fixture';

let world: WorkerFixture;
let deaf: DeafDatabase;
beforeEach(async () => {
  world = await createWorkerFixture();
  deaf = await deafDatabase(world.databaseUrl, 'worker listener');
});
afterEach(async () => {
  await world.close();
  await deaf.close();
});

test('B46: where no session can listen and none can hold a lock, workers work on by looking, and nothing runs twice', async () => {
  const workers = [1, 2].map(() => world.startWorker({ DATABASE_URL: deaf.url }));
  await world.upload('succeed', 'succeed', 'succeed');
  await until('the documents to be done', async () =>
    (await world.tasks()).every(({ status }) => status === 'completed'),
  );
  expect(deaf.refused).toBeGreaterThan(2);
  for (const task of await world.tasks()) expect(task.attempt_count).toBe(1);
  // One that dies is missed by its leases alone.
  const [running = ''] = await world.upload('succeed');
  workers[0]?.kill('SIGKILL');
  await until('the last one to be done', async () =>
    (await world.tasks()).every(({ status }) => status === 'completed'),
  );
  expect((await world.attempts(running)).filter(({ status }) => status === 'succeeded')).toHaveLength(1);
});

test('B4: a worker is somebody else at each start, so that no restart looks like the one that died', async () => {
  const known = async (count: number) => {
    const { rows } = await world.db.$client.query<{ id: string }>('select id from tickmark.workers');
    return rows.length === count ? rows.map(({ id }) => id) : null;
  };
  const first = world.startWorker();
  await until('the first worker', () => known(1));
  first.kill('SIGKILL');
  world.startWorker();
  const ids = await until('the second worker', () => known(2));
  // Host, process id, and what is new at each start: a container's processes all have the same id.
  const starts = ids.map((id) => /^.+-\d+-([0-9a-f]{6})$/.exec(id)?.[1]);
  expect(starts.every(Boolean)).toBe(true);
  expect(new Set(starts).size).toBe(2);
});
