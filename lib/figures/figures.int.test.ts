import Big from 'big.js';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TASK_STATUSES } from '@/lib/contract/api';
import type { Metrics, MetricsQuery } from '@/lib/contract/api-metrics';
import { readMetrics } from '@/lib/dashboard/metrics/read-metrics';
import { retryTask } from '@/lib/queue/retry-task';
import { type FiguresFromRows, figuresFromRows, seriesFromRows } from '@/test/figures-from-rows';
import { QueueWorld } from '@/test/queue-world';
import { byHand, writeExtraction, writeTask } from '@/test/story';
import { foldOnce } from './fold';
import { rebuildFigures } from './rebuild';
import { sumUpOnce } from './sum-up';

let world: QueueWorld;
let extractions: string[] = [];
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(reset);

async function reset(): Promise<void> {
  await world.reset();
  extractions = [];
  for (const client of ['A', 'B', null]) extractions.push(await writeExtraction(world.db, { client }));
}

const cost = fc.integer({ min: 0, max: 1e9 }).map((n) => new Big(n).times('0.000000000001').toFixed());
const tokens = fc.integer({ min: 0, max: 1_000_000 });
/** In the middle of hours and at their ends, over more than two months. */
const instant = fc
  .tuple(fc.integer({ min: 0, max: 70 * 24 }), fc.constantFrom(0, 1, 1_800_000, 3_599_999))
  .map(([hour, ms]) => new Date(Date.UTC(2026, 0, 1, hour) + ms).toISOString());

const written = fc.record({
  agent: fc.constantFrom('invoice', 'contract'),
  status: fc.constantFrom(...TASK_STATUSES),
  createdAt: instant,
  responseSeconds: fc.integer({ min: 1, max: 50_000 }),
  confidence: fc.option(fc.integer({ min: 0, max: 1_000 }).map((n) => n / 1_000)),
  attempts: fc.array(
    fc.record({
      status: fc.constantFrom('succeeded' as const, 'failed' as const, 'lost' as const),
      inputTokens: fc.option(tokens),
      outputTokens: fc.option(tokens),
      costUsd: fc.option(cost),
    }),
    { maxLength: 3 },
  ),
});

/** What can happen to tasks and to the figures of them, in any order. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write' as const), story: written, place: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('enqueue' as const), place: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claim' as const), n: fc.nat(3) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('progress' as const, 'succeed' as const, 'fail' as const),
      which: fc.nat(30),
      input: tokens,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const), which: fc.nat(30) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'set status' as const,
        'set cost' as const,
        'delete' as const,
        'move' as const,
        'rename' as const,
      ),
      which: fc.nat(30),
      status: fc.constantFrom(...TASK_STATUSES),
      cost,
      at: instant,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('fold' as const), batch: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('sum up' as const, 'rebuild' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const filters: fc.Arbitrary<MetricsQuery> = fc.record({
  status: fc.option(fc.subarray([...TASK_STATUSES], { minLength: 1 }), { nil: undefined }),
  agent: fc.constantFrom<string[] | undefined>(undefined, ['invoice'], ['invoice', 'contract']),
  client: fc.constantFrom<string[] | undefined>(undefined, undefined, ['A'], ['A', 'B']),
  from: fc.option(instant, { nil: undefined }),
  to: fc.option(instant, { nil: undefined }),
  // Whole hours off, a half and three quarters, either side, and clocks that change at midnight.
  timeZone: fc.constantFrom(
    undefined,
    'Europe/Berlin',
    // In winter its days are those of UTC.
    'Europe/London',
    'America/Los_Angeles',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'America/St_Johns',
    'America/Santiago',
    'Pacific/Auckland',
  ),
});

test('invariant 7: whatever happens, in any order, every figure under every filter is the same figure from the rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 15 }), { minLength: 1, maxLength: 5 }),
      fc.array(filters, { minLength: 3, maxLength: 3 }),
      async (parts, asked) => {
        await reset();
        for (const steps of parts) {
          for (const one of steps) await act(one);
          for (const filter of [{}, { extraction: [extractions[0] ?? ''] }, ...asked]) await compare(filter);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('invariant 7: what was read while the chart was shorter is not taken for a longer one', async () => {
  const write = (createdAt: string) =>
    writeTask(world.db, { createdAt, status: 'completed', responseSeconds: 1, confidence: 1, attempts: [] });
  const chart = { timeZone: 'Europe/Berlin' };
  for (const day of ['01', '10']) await write(`2026-01-${day}T12:00:00Z`);
  await write('2026-01-20T12:00:00Z');
  while ((await foldOnce(world.db)).isMore);
  await sumUpOnce(world.db, { quietSeconds: 0 });
  await byHand(world.db, (client) =>
    client.query("delete from tickmark.tasks where created_at = '2026-01-20T12:00:00Z'"),
  );
  // The fact of what was deleted lies beyond the last task now, and stays there until it is folded.
  await compare(chart);
  await write('2026-01-30T12:00:00Z');
  await compare(chart);
});

async function act(one: Step): Promise<void> {
  switch (one.do) {
    case 'write':
      await writeTask(world.db, { ...one.story, extractionId: extractions[one.place] ?? null });
      return;
    case 'enqueue':
      await world.enqueue(2, { extractionId: extractions[one.place] ?? null });
      return;
    case 'claim':
      for (const claimed of await world.claim(one.n)) await world.dispatch(claimed);
      return;
    case 'progress':
    case 'succeed':
    case 'fail': {
      // Any attempt that ever was: late reports and those of superseded runs among them.
      const about = await pick<{ taskId: string; attemptId: string }>(
        'select task_id as "taskId", id as "attemptId" from tickmark.task_attempts where task_id in (select id from tickmark.tasks) order by id',
        one.which,
      );
      const usage = { model: 'tickmark-rules', inputTokens: one.input, outputTokens: 7 };
      if (!about) return;
      if (one.do === 'progress') await world.progress(about, { usage, progress: { done: 1, total: 2 } });
      else if (one.do === 'succeed') await world.succeed(about, { usage });
      else await world.deliver(world.delivery(about, { type: 'attempt.failed', usage }));
      return;
    }
    case 'retry': {
      const task = await pick<{ id: string }>(
        "select id from tickmark.tasks where status in ('failed', 'cancelled') order by id",
        one.which,
      );
      if (task) await retryTask(world.db, { taskId: task.id, actor: 'user:test' });
      return;
    }
    case 'fold':
      await foldOnce(world.db, { batch: one.batch });
      return;
    case 'sum up':
      await sumUpOnce(world.db, { quietSeconds: 0 });
      return;
    case 'rebuild':
      await rebuildFigures(world.db);
      return;
    default:
      await changeByHand(one);
  }
}

async function changeByHand(
  one: Extract<Step, { which: number; at: string }>,
  among = 'true',
): Promise<void> {
  const task = await pick<{ id: string }>(
    `select id from tickmark.tasks where ${among} order by id`,
    one.which,
  );
  if (!task) return;
  await byHand(world.db, async (client) => {
    if (one.do === 'set status')
      await client.query('update tickmark.tasks set status = $1 where id = $2', [one.status, task.id]);
    else if (one.do === 'set cost')
      await client.query('update tickmark.task_attempts set llm_cost_usd = $1 where task_id = $2', [
        one.cost,
        task.id,
      ]);
    else if (one.do === 'rename') {
      await client.query(
        "update tickmark.extractions set client = case when client = 'A' then 'B' else 'A' end where id = $1",
        [extractions[0]],
      );
    } else if (one.do === 'move') {
      await client.query(
        'update tickmark.tasks set created_at = $1, finished_at = $1::timestamptz + (finished_at - created_at) where id = $2',
        [one.at, task.id],
      );
    } else {
      await client.query(
        'delete from tickmark.callback_deliveries where attempt_id in (select id from tickmark.task_attempts where task_id = $1)',
        [task.id],
      );
      await client.query('delete from tickmark.task_events where task_id = $1', [task.id]);
      await client.query('delete from tickmark.task_attempts where task_id = $1', [task.id]);
      await client.query('delete from tickmark.tasks where id = $1', [task.id]);
    }
  });
}

async function pick<T>(query: string, which: number): Promise<T | undefined> {
  const { rows } = await world.db.$client.query(query);
  return rows.length > 0 ? (rows[which % rows.length] as T) : undefined;
}

/** Both ways to read a figure, from histograms and from the rows, against SQL over the rows. */
async function compare(query: MetricsQuery): Promise<void> {
  const rows = await figuresFromRows(world.db, query);
  for (const exactUpTo of [-1, 1_000_000]) {
    const metrics = await readMetrics(world.db, query, null, { computeUsdPerHour: '0.05', exactUpTo });
    expect(metrics.approximate).toBe(exactUpTo < 0);
    expectSame(metrics, rows);
    const series = await seriesFromRows(world.db, query, metrics.bucket);
    expect(metrics.series.map(({ at }) => at)).toEqual(series.map(({ at }) => new Date(at).toISOString()));
    for (const [n, point] of metrics.series.entries()) {
      const tasks = Object.values(point.counts).reduce((sum, count) => sum + count, 0);
      expect({ tasks, input: String(point.inputTokens), cost: point.llmCostUsd }).toEqual({
        tasks: series[n]?.tasks,
        input: series[n]?.input,
        cost: series[n]?.cost,
      });
    }
  }
}

function expectSame(metrics: Metrics, rows: FiguresFromRows): void {
  const {
    counts,
    inputTokens,
    outputTokens,
    llmCostUsd,
    unpricedAttempts,
    wasteUsd,
    runSeconds,
    pricedTasks,
  } = rows;
  expect(metrics).toMatchObject({
    counts,
    inputTokens,
    outputTokens,
    llmCostUsd,
    unpricedAttempts,
    wasteUsd,
    runSeconds,
    pricedTasks,
  });
  expect(metrics.confidence.count).toBe(rows.confidence.count);
  expectClose(metrics.confidence.mean, rows.confidence.mean, 1e-9);
  const tolerance = metrics.approximate ? 0.02 : 1e-12;
  const number = (money: string | null) => (money === null ? null : Number(money));
  expectClose(metrics.medianResponseSeconds, rows.medianResponseSeconds, tolerance);
  expectClose(number(metrics.medianCostUsd), number(rows.medianCostUsd), tolerance);
  expectClose(metrics.confidence.median, rows.confidence.median, tolerance);
  expectClose(metrics.confidence.p10, rows.confidence.p10, tolerance);
  if (!metrics.approximate) expect(metrics.medianCostUsd).toBe(rows.medianCostUsd);
  const sum = (of: (point: Metrics['series'][number]) => string | number) =>
    metrics.series.reduce((total, point) => total.plus(of(point)), new Big(0)).toFixed();
  for (const status of TASK_STATUSES)
    expect(sum((point) => point.counts[status])).toBe(String(counts[status]));
  expect(sum((point) => point.inputTokens)).toBe(String(inputTokens));
  if (llmCostUsd !== null) {
    expect(sum((point) => point.llmCostUsd)).toBe(llmCostUsd);
    expect(
      sum((point) => point.agents.reduce((total, one) => total.plus(one.llmCostUsd), new Big(0)).toFixed()),
    ).toBe(llmCostUsd);
  }
  expect(metrics.responseDistribution.reduce((n, bar) => n + bar.count, 0)).toBe(counts.completed);
  expect(metrics.confidenceDistribution.reduce((n, bar) => n + bar.count, 0)).toBe(rows.confidence.count);
}

function expectClose(actual: number | null, expected: number | null, tolerance: number): void {
  if (expected === null || actual === null) expect(actual).toBe(expected);
  else expect(Math.abs(actual - expected)).toBeLessThanOrEqual(Math.abs(expected) * tolerance + 1e-12);
}

test('invariant 7: with writers, folding and summing up all at once nothing is missed and nothing counted twice', async () => {
  let isOver = false;
  const folding = async () => {
    while (!isOver) {
      await foldOnce(world.db, { batch: 20 });
      await sumUpOnce(world.db, { quietSeconds: 0 });
    }
  };
  const queue = async (place: number) => {
    for (let round = 0; round < 8; round += 1) {
      await world.enqueue(5, { extractionId: extractions[place] ?? null });
      for (const claimed of await world.claim(4, { workerId: `w${place}` })) {
        await world.dispatch(claimed);
        await world.progress(claimed, { usage: { model: 'tickmark-rules', inputTokens: 50 } });
        await world.succeed(claimed, {
          usage: { model: 'tickmark-rules', inputTokens: 1_234, outputTokens: 56 },
        });
        await world.succeed(claimed, {
          usage: { model: 'tickmark-rules', inputTokens: 9_999, outputTokens: 99 },
        });
      }
    }
  };
  const people = async () => {
    for (let n = 0; n < 30; n += 1) {
      await writeTask(world.db, {
        status: 'completed',
        extractionId: extractions[n % 3] ?? null,
        attempts: [
          { status: 'succeeded', inputTokens: n, outputTokens: 1, costUsd: `0.00000000000${n % 10}` },
        ],
      });
      await changeByHand(
        {
          do: n % 3 === 0 ? 'delete' : 'set cost',
          which: n * 7,
          status: 'failed',
          cost: '0.000001',
          at: '2026-01-01T00:00:00Z',
        },
        "created_at < '2026-02-01'",
      );
    }
  };
  const folders = [folding(), folding()];
  try {
    await Promise.all([queue(0), queue(1), queue(2), people()]);
  } finally {
    isOver = true;
  }
  await Promise.all(folders);
  await compare({});
  while ((await foldOnce(world.db)).isMore);
  await sumUpOnce(world.db, { quietSeconds: 0 });
  for (const query of [{}, { client: ['A'] }, { agent: ['invoice'], status: ['completed' as const] }])
    await compare(query);
  const { rows } = await world.db.$client.query('select count(*)::int as left from tickmark.usage_changes');
  expect(rows[0].left).toBe(0);
});

test('C2: what retention removes is no longer in any figure, and a rebuild gives the same sums', async () => {
  for (let n = 0; n < 40; n += 1) {
    await writeTask(world.db, {
      status: n % 4 === 0 ? 'failed' : 'completed',
      createdAt: new Date(Date.UTC(2026, n % 3, 1 + (n % 20), n)).toISOString(),
      extractionId: extractions[n % 3] ?? null,
      confidence: 0.9,
      attempts: [{ status: 'succeeded', inputTokens: n, outputTokens: 1, costUsd: '0.000012304' }],
    });
  }
  await foldOnce(world.db);
  await sumUpOnce(world.db, { quietSeconds: 0 });
  // As our own process would: deletions are noticed whoever makes them.
  for (const table of [
    'task_attempts a using tickmark.tasks t where a.task_id = t.id and',
    'tasks t where',
  ]) {
    await world.db.$client.query(`delete from tickmark.${table} t.created_at < '2026-02-10'`);
  }
  await compare({});
  await foldOnce(world.db);
  await sumUpOnce(world.db, { quietSeconds: 0 });
  await compare({});
  const sums = async () =>
    (
      await world.db.$client.query(
        'select * from tickmark.usage_monthly order by level, start, agent_id, client, status',
      )
    ).rows;
  const before = await sums();
  expect(before.length).toBeGreaterThan(0);
  const indexes = async () =>
    (await world.db.$client.query("select indexdef from pg_indexes where tablename like 'task_%' order by 1"))
      .rows;
  const made = await indexes();
  for (const isExclusive of [false, true]) {
    await rebuildFigures(world.db, { isExclusive });
    expect(await sums()).toEqual(before);
    await compare({ client: ['A'] });
  }
  expect(await indexes()).toEqual(made);
});

test('a database that was restored into another server is counted again, not passed over', async () => {
  await world.enqueue(3);
  await foldOnce(world.db);
  // There, transactions have smaller numbers than those that were noted here.
  await world.db.$client.query("update tickmark.usage_state set snapshot = '4000000000:4000000000:'");
  await world.enqueue(2);
  await compare({});
  await foldOnce(world.db);
  await compare({});
});

test('two transactions that commit in the other order than their events were written are both counted', async () => {
  const slow = await world.db.$client.connect();
  try {
    const event = (id: string) =>
      `insert into tickmark.task_events (task_id, to_status, actor, reason) values ('${id}', 'completed', 'test', 'test')`;
    const [first, second] = await world.enqueue(2);
    await foldOnce(world.db);
    await slow.query('begin');
    await slow.query(
      "update tickmark.tasks set status = 'completed', finished_at = clock_timestamp() where id = $1",
      [first],
    );
    await slow.query(event(first ?? ''));
    await world.db.$client.query(event(second ?? ''));
    await foldOnce(world.db);
    await world.db.$client.query("update tickmark.usage_state set next_at = next_at - interval '1 hour'");
    await world.enqueue(1);
    await foldOnce(world.db);
    await slow.query('commit');
    await compare({});
    await foldOnce(world.db);
    await compare({});
  } finally {
    slow.release();
  }
});
