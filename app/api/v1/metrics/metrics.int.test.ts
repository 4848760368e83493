import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ComputeCostAccepted, ComputeCostAnswer, Metrics } from '@/lib/contract/api-metrics';
import { foldOnce } from '@/lib/figures/fold';
import { sumUpOnce } from '@/lib/figures/sum-up';
import type { BillingSource } from '@/lib/platform/billing-source/port';
import { ADMIN_TOKEN, call, createTestApp, type TestApp } from '@/test/api';
import { byHand, writeExtraction, writeTask } from '@/test/story';
import { until } from '@/test/until';
import { GET as getComputeCost } from './compute-cost/[id]/route';
import { POST as askComputeCost } from './compute-cost/route';
import { GET as getMetrics } from './route';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.$client.query(
    'truncate tickmark.tasks, tickmark.task_attempts, tickmark.extractions, tickmark.compute_costs cascade',
  );
});

const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

async function metrics(query: string): Promise<Metrics> {
  const response = await call(getMetrics, { query: `?${query}`, headers });
  expect(response.status).toBe(200);
  return Metrics.parse(await response.json());
}

async function sqlValue(query: string, ...values: unknown[]): Promise<string | null> {
  const { rows } = await app.db.$client.query({ text: query, values, rowMode: 'array' });
  return rows[0]?.[0] ?? null;
}

/** Ten days of tasks of two agents, one an hour, every third of them failed after two attempts. */
async function tenDays(): Promise<void> {
  const extractionId = await writeExtraction(app.db, { client: 'A' });
  for (let hour = 1; hour <= 240; hour += 1) {
    const isFailed = hour % 3 === 0;
    const costUsd = (0.000_1 * (1 + (hour % 17))).toFixed(12);
    const attempt = {
      status: isFailed ? ('failed' as const) : ('succeeded' as const),
      inputTokens: 100 * hour,
      outputTokens: hour,
      costUsd,
    };
    await writeTask(app.db, {
      agent: hour % 2 === 0 ? 'invoice' : 'contract',
      status: isFailed ? 'failed' : 'completed',
      extractionId,
      createdAt: ago((hour - 0.5) / 24),
      responseSeconds: 5 + (hour % 40),
      attempts: isFailed ? [attempt, attempt] : [attempt],
    });
  }
}

const FAILED_COST = `
  select trim_scale(sum(a.llm_cost_usd))::text
  from tickmark.tasks t
  join tickmark.task_attempts a on a.task_id = t.id
  where t.status = 'failed' and t.created_at >= $1`;

const MEDIAN_SPEND = `
  select percentile_cont(0.5) within group (order by s.cost::float8)::text
  from (
    select sum(a.llm_cost_usd) as cost
    from tickmark.tasks t
    join tickmark.task_attempts a on a.task_id = t.id
    where t.agent_id = $1 and t.created_at >= $2
    group by t.id
    having count(a.llm_cost_usd) > 0
  ) s`;

test('M26: what did failed tasks cost in the last 7 days, and what is the median spend per task of an agent', async () => {
  await tenDays();
  for (const isFolded of [false, true]) {
    if (isFolded) {
      await foldOnce(app.db);
      await sumUpOnce(app.db, { quietSeconds: 0 });
    }
    const from = ago(7);
    const failed = await metrics(`status=failed&from=${from}`);
    expect(failed.llmCostUsd).toBe(await sqlValue(FAILED_COST, from));
    expect(failed.counts).toMatchObject({ completed: 0, failed: 56 });
    const { medianCostUsd, approximate } = await metrics(`agent=invoice&from=${ago(9)}&exact=true`);
    const median = Number(await sqlValue(MEDIAN_SPEND, 'invoice', ago(9)));
    expect(approximate).toBe(false);
    expect(Number(medianCostUsd)).toBeCloseTo(median, 15);
  }
});

test('figures are compared with those of the period of equal length before', async () => {
  await tenDays();
  const from = ago(5);
  const all = await metrics(`from=${from}`);
  expect(all.previous?.to).toBe(from);
  expect(all.previous && all.previous.counts.completed + all.previous.counts.failed).toBe(120);
  expect((await metrics('')).previous).toBeNull();
});

test('filters may hold several values, and a single one means the same in any spelling', async () => {
  await tenDays();
  const one = await metrics('status=failed');
  expect((await metrics('status=failed,cancelled')).counts).toEqual(one.counts);
  expect((await metrics('status=failed&status=cancelled')).counts).toEqual(one.counts);
  expect((await metrics('client=A&agent=invoice,contract')).counts).toEqual((await metrics('')).counts);
});

test('M24: compute cost is asked for, answered at once with where the answer will be, and kept', async () => {
  await tenDays();
  await byHand(app.db, (client) =>
    client.query("update tickmark.task_attempts set dispatched_at = claimed_at, run_id = 'run ' || id"),
  );
  const release = Promise.withResolvers<void>();
  const slow: BillingSource = {
    name: 'billing',
    costOf: async ({ runSeconds, readRuns }) => {
      await release.promise;
      const byAttempt = new Map((await readRuns()).map(({ attemptId }) => [attemptId, '0.25']));
      return { usd: runSeconds, note: 'Not final.', byAttempt };
    },
  };
  Object.assign(app.runtime, { billing: slow });
  const ask = async (json?: unknown) => {
    const response = await call(askComputeCost, {
      query: '?agent=invoice',
      method: 'POST',
      headers,
      json,
    });
    expect(response.status).toBe(202);
    return ComputeCostAccepted.parse(await response.json()).id;
  };
  const read = async (id: string) => {
    const response = await call(getComputeCost, {
      params: { id },
      headers,
    });
    return ComputeCostAnswer.parse(await response.json());
  };
  const id = await ask();
  expect(await ask()).toBe(id);
  expect(await read(id)).toEqual({ status: 'pending', source: 'billing' });
  expect((await metrics('agent=invoice')).computeCost).toMatchObject({
    id,
    status: 'pending',
    computeCostUsd: null,
  });
  expect((await metrics('agent=contract')).computeCost.status).toBe('none');
  expect(await ask({ agent: ['invoice'] })).toBe(id);
  release.resolve();
  const ready = await until('an answer', async () => {
    const answer = await read(id);
    return answer.status === 'ready' ? answer : undefined;
  });
  const seconds = await sqlValue(`
    select trim_scale(sum(extract(epoch from a.finished_at - a.dispatched_at)))::text
    from tickmark.task_attempts a where a.agent_id = 'invoice'`);
  expect(ready?.computeCostUsd).toBe(seconds);
  expect(
    await sqlValue(`
      select count(*) || ' of ' || count(*) filter (where a.run_id = 'run ' || a.id and a.agent_id = 'invoice')
      from tickmark.task_attempts a where a.compute_cost_usd = 0.25`),
  ).toBe(
    await sqlValue(
      "select count(*) || ' of ' || count(*) from tickmark.task_attempts where agent_id = 'invoice'",
    ),
  );
  expect((await metrics('agent=invoice')).computeCost).toMatchObject({
    status: 'ready',
    computeCostUsd: seconds,
    source: 'billing',
    message: 'Not final.',
  });
});

test('M24: a source that fails is told as failed, with its reason, and can be asked again', async () => {
  const broken: BillingSource = {
    name: 'billing',
    costOf: () => Promise.reject(new Error('the warehouse is asleep')),
  };
  Object.assign(app.runtime, { billing: broken });
  const ask = async () =>
    ComputeCostAccepted.parse(await (await call(askComputeCost, { method: 'POST', headers })).json()).id;
  const id = await ask();
  const failed = await until('an answer', async () => {
    const response = await call(getComputeCost, {
      params: { id },
      headers,
    });
    const answer = ComputeCostAnswer.parse(await response.json());
    return answer.status === 'failed' ? answer : undefined;
  });
  expect(failed).toMatchObject({ status: 'failed', message: 'the warehouse is asleep' });
  expect(await ask()).not.toBe(id);
});

test.each(['9999-12-30T00:00:00Z', '9999-12-30T23:59:58.999Z', '1970-01-01T00:00:00Z'])(
  'a task created at %s, as a person may write it, stops no figure, by whatever it is asked',
  async (createdAt) => {
    await writeTask(app.db, { status: 'completed', createdAt: ago(1), attempts: [SUCCEEDED] });
    await writeTask(app.db, { status: 'failed', agent: 'contract', createdAt, attempts: [] });
    for (const look of ['loose', 'folded', 'summed up']) {
      if (look === 'folded') while ((await foldOnce(app.db)).isMore);
      if (look === 'summed up') while ((await sumUpOnce(app.db, { quietSeconds: 0 })) > 0);
      for (const query of [
        '',
        'agent=contract',
        'timeZone=Asia/Kolkata',
        'exact=true',
        `from=${ago(5)}`,
        'from=0001-01-01T00:00:00Z',
        'to=9999-12-31T00:00:00Z',
      ]) {
        const { counts } = await metrics(query);
        expect(counts.failed, `${look} ${query}`).toBe(
          query.startsWith('from=2') && createdAt < '2000' ? 0 : 1,
        );
      }
    }
  },
);

const SUCCEEDED = { status: 'succeeded', inputTokens: 1, outputTokens: 1, costUsd: '1' } as const;

test.each(['llm_cost_usd', 'reported_cost_usd', 'compute_cost_usd'])(
  'a person can’t write a %s that is no amount of money, and figures go on',
  async (column) => {
    const taskId = await writeTask(app.db, { status: 'completed', attempts: [SUCCEEDED] });
    const set = (value: string) =>
      byHand(app.db, (client) =>
        client.query(`update tickmark.task_attempts set ${column} = '${value}' where task_id = '${taskId}'`),
      );
    const wrong = column === 'compute_cost_usd' ? ['NaN', 'Infinity'] : ['NaN', 'Infinity', '-0.01'];
    for (const value of wrong) await expect(set(value)).rejects.toMatchObject({ code: /^(23514|22003)$/ });
    await set('0');
    while ((await foldOnce(app.db)).isMore);
    expect((await metrics('')).counts.completed).toBe(1);
  },
);

test('no number, however odd, makes a histogram’s key fail', async () => {
  const numbers = ['NaN', 'Infinity', '-Infinity', '-1', '0', '1e-300', '1e300', '1e-44', '0.05', '1', '2'];
  for (const number of numbers) {
    const key = await sqlValue('select tickmark.sketch_key(2, $1::float8)::text', number);
    expect(key === null, number).toBe(['NaN', 'Infinity'].includes(number));
  }
  for (const number of numbers.filter((one) => !one.includes('300')))
    await sqlValue('select tickmark.confidence_key($1::real)::text', number);
});

test.each([
  ['ten minutes', 10 / 1440, 10],
  ['a day', 1, 480],
  ['four months', 124, 496],
])(
  'of a queue that was looked at for %s a chart has more than a dot, and the fullest moment',
  async (_, days, most) => {
    await app.db.$client.query('truncate tickmark.queue_samples');
    const everyMinutes = days > 1 ? 60 : 1;
    await app.db.$client.query(
      `insert into tickmark.queue_samples (at, agent_id, client, waiting, in_flight)
     select now() - n * make_interval(mins => $2::int), '', '', case when n = 5 then 900 else n % 7 end, 1
     from generate_series(1, $1::int) n`,
      [Math.round((days * 1440) / everyMinutes), everyMinutes],
    );
    await app.db.$client.query('analyze tickmark.queue_samples');
    await app.db.$client.query('update tickmark.usage_state set sampled_at = clock_timestamp()');
    await writeTask(app.db, { createdAt: ago(1000) });
    for (const range of ['', `from=${ago(900)}`, `from=${ago(130)}`]) {
      const { queue } = await metrics(range);
      expect(queue.length).toBeGreaterThanOrEqual(most * 0.6);
      expect(queue.length).toBeLessThanOrEqual(501);
      expect(Math.max(...queue.map(({ waiting }) => waiting))).toBe(900);
      expect(queue.map(({ at }) => at)).toEqual(queue.map(({ at }) => at).sort());
    }
  },
);
