import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TASK_STATUSES, type TaskListItem } from '@/lib/contract/api';
import { TaskListQuery, TaskSort } from '@/lib/contract/api-requests';
import { foldOnce } from '@/lib/figures/fold';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { byHand, writeExtraction, writeTask } from '@/test/story';
import { readTaskList } from './task-list';

let world: TestDatabase;
beforeAll(async () => {
  world = await createTestDatabase();
});
afterAll(() => world.close());

const story = fc.record({
  client: fc.constantFrom('A', 'B'),
  status: fc.constantFrom(...TASK_STATUSES),
  priority: fc.constantFrom(10, 50, 90),
  createdAt: fc
    .integer({ min: 0, max: 40 })
    .map((hour) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString()),
  responseSeconds: fc.integer({ min: 1, max: 6 }),
  confidence: fc.option(fc.constantFrom(0, 0.5, 0.75, 1)),
  errorCode: fc.option(fc.constantFrom('timeout', 'no_pages')),
  attempts: fc.array(
    fc.record({
      status: fc.constant('failed' as const),
      costUsd: fc.option(fc.constantFrom('0.1', '0.25', '7')),
    }),
    { maxLength: 2 },
  ),
});

const VALUES: Record<string, (task: TaskListItem) => number | null> = {
  created: (task) => Date.parse(task.createdAt),
  finished: (task) => (task.finishedAt ? Date.parse(task.finishedAt) : null),
  priority: (task) => task.priority,
  confidence: (task) => task.confidence,
  latency: (task) => task.responseSeconds,
  cost: (task) => {
    const costs = task.attemptCount >= 0 ? task.llmCostUsd : null;
    return costs === null || costs === '0' ? null : Number(costs);
  },
};

test('N9: every list is complete and in order page by page, however much of it is folded and whatever has changed since', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(story, { minLength: 1, maxLength: 25 }),
      fc.array(
        fc.record({
          index: fc.nat(24),
          costUsd: fc.constantFrom('0.2', '9'),
          status: fc.constantFrom(...TASK_STATUSES),
        }),
        { maxLength: 6 },
      ),
      fc.constantFrom(...TaskSort.options),
      fc.record({
        status: fc.option(fc.subarray([...TASK_STATUSES], { minLength: 1 }), { nil: undefined }),
        client: fc.option(fc.constantFrom(['A'], ['A', 'B']), { nil: undefined }),
        errorCode: fc.option(fc.constantFrom(['timeout']), { nil: undefined }),
        from: fc.constantFrom(undefined, '2026-01-01T12:00:00.000Z'),
        // A few days, some weeks and without an end: lists are found in different ways.
        to: fc.constantFrom(undefined, '2026-01-03T00:00:00.000Z', '2026-03-01T00:00:00.000Z'),
        q: fc.constantFrom(undefined, 'b', 'TIME', 'nothing'),
      }),
      fc.integer({ min: 1, max: 7 }),
      async (stories, changes, sort, filters, limit) => {
        await world.db.$client.query(
          'truncate tickmark.tasks, tickmark.task_attempts, tickmark.task_events, tickmark.extractions cascade',
        );
        const extractions: Record<string, string> = {};
        for (const client of ['A', 'B'])
          extractions[client] = await writeExtraction(world.db, { client, name: `for ${client}` });
        const ids: string[] = [];
        for (const one of stories)
          ids.push(await writeTask(world.db, { ...one, extractionId: extractions[one.client] ?? null }));
        await foldOnce(world.db, { batch: 1 + stories.length * 2 });
        for (const { index, costUsd, status } of changes) {
          await byHand(world.db, async (client) => {
            await client.query('update tickmark.task_attempts set llm_cost_usd = $1 where task_id = $2', [
              costUsd,
              ids[index % ids.length],
            ]);
            await client.query('update tickmark.tasks set status = $1 where id = $2', [
              status,
              ids[index % ids.length],
            ]);
          });
        }
        const query = TaskListQuery.parse({ ...filters, sort, limit });
        const listed = await allPages(query);
        const everything = await allPages(TaskListQuery.parse({ limit: '200' }));
        const chosen = everything.filter((task) => isChosen(task, filters));
        expect(listed.map(({ id }) => id).sort()).toEqual(chosen.map(({ id }) => id).sort());
        const value = VALUES[sort.replace('-', '')] ?? (() => null);
        const values = listed.map(value);
        const known = values.filter((one) => one !== null);
        expect(values.slice(known.length).every((one) => one === null)).toBe(true);
        expect(known).toEqual([...known].sort((a, b) => (sort.startsWith('-') ? b - a : a - b)));
      },
    ),
    { numRuns: 60 },
  );
});

function isChosen(
  task: TaskListItem,
  filters: {
    status?: readonly string[] | undefined;
    client?: readonly string[] | undefined;
    errorCode?: readonly string[] | undefined;
    from?: string | undefined;
    to?: string | undefined;
    q?: string | undefined;
  },
): boolean {
  const found = [task.client, task.extractionName, task.errorCode].some((text) =>
    text?.toLowerCase().includes(filters.q?.toLowerCase() ?? ''),
  );
  return (
    (filters.status?.includes(task.status) ?? true) &&
    (filters.client?.includes(task.client ?? '') ?? true) &&
    (filters.errorCode?.includes(task.errorCode ?? '') ?? true) &&
    (!filters.from || task.createdAt >= filters.from) &&
    (!filters.to || task.createdAt < filters.to) &&
    (!filters.q || found)
  );
}

async function allPages(query: TaskListQuery): Promise<TaskListItem[]> {
  const tasks: TaskListItem[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await readTaskList(world.db, { ...query, cursor });
    tasks.push(...page.tasks);
    cursor = page.nextCursor;
  }
  return tasks;
}
