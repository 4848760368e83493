import Big from 'big.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TASK_STATUSES, type TaskStatus } from '@/lib/contract/api';
import { Metrics } from '@/lib/contract/api-metrics';
import { createTestApp, type TestApp } from '@/test/api';
import { type AttemptStory, type TaskStory, writeExtraction, writeTask } from '@/test/story';
import { readMetrics } from './metrics/read-metrics';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const attempt: fc.Arbitrary<AttemptStory> = fc.record({
  status: fc.constantFrom('succeeded' as const, 'failed' as const, 'lost' as const, 'cancelled' as const),
  inputTokens: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
  outputTokens: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
  // 12 digits after the point: no float could hold the sum.
  costUsd: fc.option(
    fc.integer({ min: 0, max: 1e9 }).map((n) => new Big(n).times('0.000000000001').toFixed()),
  ),
});

const story: fc.Arbitrary<TaskStory & { client: string }> = fc.record({
  agent: fc.constantFrom('invoice', 'contract'),
  client: fc.constantFrom('A', 'B, C'),
  status: fc.constantFrom(...TASK_STATUSES),
  createdAt: fc
    .integer({ min: 0, max: 20 * 24 })
    .map((hour) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString()),
  responseSeconds: fc.integer({ min: 1, max: 5_000 }),
  confidence: fc.option(fc.integer({ min: 0, max: 100 }).map((n) => n / 100)),
  attempts: fc.array(attempt, { maxLength: 3 }),
});

const filters = fc.record({
  status: fc.option(fc.subarray([...TASK_STATUSES], { minLength: 1 }), { nil: undefined }),
  agent: fc.constantFrom<string[] | undefined>(
    undefined,
    ['invoice'],
    ['contract'],
    ['invoice', 'contract'],
    ['nobody'],
  ),
  client: fc.constantFrom<string[] | undefined>(undefined, ['A'], ['B, C']),
  from: fc.constantFrom(undefined, '2026-01-05T00:00:00.000Z'),
  to: fc.constantFrom(undefined, '2026-01-06T00:00:00.000Z', '2026-01-15T12:00:00.000Z'),
});

const sum = (values: readonly string[]) => values.reduce((total, value) => total.plus(value), new Big(0));

function median(values: readonly Big[]): Big | null {
  const sorted = [...values].sort((a, b) => a.cmp(b));
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low && high ? low.plus(high).div(2) : null;
}

test('M15–M21: every figure under every filter equals the same figure from the rows, to the last digit', async () => {
  Big.DP = 40;
  await fc.assert(
    fc.asyncProperty(
      fc.array(story, { maxLength: 40 }),
      fc.array(filters, { minLength: 3, maxLength: 6 }),
      async (stories, asked) => {
        await app.db.$client.query(
          'truncate tickmark.tasks, tickmark.task_attempts, tickmark.task_events, tickmark.callback_deliveries, tickmark.extractions cascade',
        );
        const extractions = {
          A: await writeExtraction(app.db, { client: 'A' }),
          'B, C': await writeExtraction(app.db, { client: 'B, C' }),
        };
        for (const one of stories) {
          await writeTask(app.db, { ...one, extractionId: extractions[one.client as 'A'] });
        }
        for (const filter of asked) {
          const chosen = stories.filter(
            (one) =>
              (filter.status?.includes(one.status as TaskStatus) ?? true) &&
              (filter.agent?.includes(one.agent ?? '') ?? true) &&
              (filter.client?.includes(one.client) ?? true) &&
              (!filter.from || Date.parse(one.createdAt ?? '') >= Date.parse(filter.from)) &&
              (!filter.to || Date.parse(one.createdAt ?? '') < Date.parse(filter.to)),
          );
          check(
            Metrics.parse(await readMetrics(app.db, { ...filter }, null, { computeUsdPerHour: null })),
            chosen,
          );
        }
      },
    ),
    { numRuns: 40 },
  );
});

function check(metrics: Metrics, chosen: readonly TaskStory[]): void {
  const attempts = chosen.flatMap((one) => (one.attempts ?? []).map((a) => ({ ...a, task: one })));
  const priced = attempts.flatMap((a) => (a.costUsd ? [a.costUsd] : []));
  for (const status of TASK_STATUSES) {
    expect(metrics.counts[status]).toBe(chosen.filter((one) => one.status === status).length);
  }
  const inputTokens = attempts.reduce((n, a) => n + (a.inputTokens ?? 0), 0);
  const outputTokens = attempts.reduce((n, a) => n + (a.outputTokens ?? 0), 0);
  expect(metrics).toMatchObject({ inputTokens, outputTokens });
  const unpriced = attempts.filter((a) => !a.costUsd && (a.inputTokens ?? 0) + (a.outputTokens ?? 0) > 0);
  expect(metrics.unpricedAttempts).toBe(unpriced.length);
  if (priced.length > 0 || inputTokens + outputTokens === 0) {
    expect(metrics.llmCostUsd).toBe(sum(priced).toFixed());
  } else expect(metrics.llmCostUsd).toBeNull();
  const waste = attempts.filter(
    (a) => a.costUsd && !(a.status === 'succeeded' && a.task.status === 'completed'),
  );
  expect(metrics.wasteUsd).toBe(sum(waste.map((a) => a.costUsd ?? '0')).toFixed());
  const costs = chosen
    .map((one) => (one.attempts ?? []).flatMap((a) => (a.costUsd ? [a.costUsd] : [])))
    .filter((list) => list.length > 0)
    .map(sum);
  expect(metrics.pricedTasks).toBe(costs.length);
  expect(metrics.medianCostUsd === null ? null : new Big(metrics.medianCostUsd)).toEqual(median(costs));
  const responses = chosen
    .filter((one) => one.status === 'completed')
    .map((one) => new Big(one.responseSeconds ?? 0));
  expect(metrics.medianResponseSeconds).toBe(median(responses)?.toNumber() ?? null);
  const sure = chosen.flatMap((one) => (typeof one.confidence === 'number' ? [one.confidence] : []));
  expect(metrics.confidence.count).toBe(sure.length);
  if (sure.length > 0) {
    expect(metrics.confidence.mean).toBeCloseTo(sure.reduce((a, b) => a + b, 0) / sure.length, 12);
  }
  const inSeries = metrics.series.reduce((n, point) => n + point.counts.completed, 0);
  expect(inSeries).toBe(metrics.counts.completed);
  expect(sum(metrics.series.map((point) => point.llmCostUsd)).toFixed()).toBe(sum(priced).toFixed());
}
