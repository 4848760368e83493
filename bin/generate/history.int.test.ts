import { afterAll, beforeAll, expect, test } from 'vitest';
import { TASK_STATUSES } from '@/lib/contract/api';
import { TaskListQuery } from '@/lib/contract/api-requests';
import { readMetrics } from '@/lib/dashboard/metrics/read-metrics';
import { readTaskList } from '@/lib/dashboard/task-list';
import { seed } from '@/lib/db/seed';
import { rebuildFigures } from '@/lib/figures/rebuild';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { figuresFromRows } from '@/test/figures-from-rows';
import { generateHistory, MADE_UP_AGENT } from './history';

let world: TestDatabase;
beforeAll(async () => {
  world = await createTestDatabase();
  await seed(world.db);
});
afterAll(() => world.close());

test('N13: made-up history is legal, has every kind of end, and its figures are those of its rows', async () => {
  await generateHistory(world.db, { tasks: 4_000, months: 18, waiting: 300 });
  expect(await rebuildFigures(world.db)).toBe(4_300);
  const months = new Set<string>();
  for (const query of [
    {},
    { client: ['Ash Ltd'] },
    { status: ['failed' as const], agent: ['invoice', 'contract'] },
  ]) {
    const rows = await figuresFromRows(world.db, query);
    const metrics = await readMetrics(world.db, query, null, {
      computeUsdPerHour: '1',
      exactUpTo: 1_000_000,
    });
    const {
      counts,
      inputTokens,
      llmCostUsd,
      wasteUsd,
      unpricedAttempts,
      medianCostUsd,
      medianResponseSeconds,
    } = rows;
    expect(metrics).toMatchObject({
      counts,
      inputTokens,
      llmCostUsd,
      wasteUsd,
      unpricedAttempts,
      medianCostUsd,
      medianResponseSeconds,
    });
    for (const { at } of metrics.series) months.add(at);
    if (Object.keys(query).length > 0) continue;
    expect(TASK_STATUSES.map((status) => counts[status] > 0)).toEqual([true, false, true, true, true]);
    expect(counts.enqueued).toBe(300);
    expect(unpricedAttempts).toBeGreaterThan(0);
    expect(Number(wasteUsd)).toBeGreaterThan(0);
    const { tasks } = await readTaskList(world.db, TaskListQuery.parse({ sort: '-cost', limit: 5 }));
    expect(tasks.map(({ llmCostUsd: cost }) => Number(cost))).toEqual(
      tasks.map(({ llmCostUsd: cost }) => Number(cost)).sort((a, b) => b - a),
    );
  }
  expect(months.size).toBeGreaterThanOrEqual(18);
});

test('made-up waiting tasks are left alone by workers: their agent is paused, and they are its only ones', async () => {
  const { rows } = await world.db.$client.query(
    `select a.id, a.paused, count(*)::int as waiting from tickmark.tasks t join tickmark.agents a on a.id = t.agent_id
     where t.status = 'enqueued' group by a.id`,
  );
  expect(rows).toEqual([{ id: MADE_UP_AGENT.id, paused: true, waiting: 300 }]);
  expect((await world.db.$client.query("select * from tickmark.claim_tasks_v3('w1', 10, 15)")).rows).toEqual(
    [],
  );
});
