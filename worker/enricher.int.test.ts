import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { foldOnce } from '@/lib/figures/fold';
import { createLogger } from '@/lib/log';
import {
  type ReadTrace,
  type TracedCall,
  type TraceReading,
  type TraceSource,
  TraceSourceUnavailable,
  TraceUnreadable,
} from '@/lib/platform/trace-source/port';
import type { ClaimedTask } from '@/lib/queue/claim';
import { expectTrace } from '@/lib/usage/traces-due';
import { QueueWorld } from '@/test/queue-world';
import { createEnricher } from './enricher';
import { createWorkerMetrics } from './metrics';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
  await world.db.execute(sql`
    insert into tickmark.model_prices values ('priced', '2020-01-01', 10, 1, 12.5, 30, false, 'test')`);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  await world.db.execute(sql`truncate tickmark.attempt_traces`);
  source.readings.clear();
  source.otherwise = { kind: 'absent' };
  source.asked.length = 0;
  source.seesRunsInFlight = true;
});

/** Readings as a test wants them, by trace id. */
class ToldSource implements TraceSource {
  readonly name = 'mlflow';
  seesRunsInFlight = true;
  readonly readings = new Map<string, TraceReading | Error>();
  otherwise: TraceReading | Error = { kind: 'absent' };
  readonly asked: string[] = [];

  async read(traceId: string): Promise<TraceReading> {
    this.asked.push(traceId);
    const reading = this.readings.get(traceId) ?? this.otherwise;
    if (reading instanceof Error) throw reading;
    return reading;
  }
}
const source = new ToldSource();

const enrich = () =>
  createEnricher({
    db: world.db,
    source,
    log: createLogger('test', 'silent'),
    metrics: createWorkerMetrics(),
  });

const call = (
  inputTokens: number,
  outputTokens: number,
  costUsd: string | null = null,
  model = 'priced',
): TracedCall => ({
  model,
  inputTokens,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens,
  costUsd,
  pricedBy: costUsd === null ? null : 'run',
});
const ended = (...calls: TracedCall[]): TraceReading => ({
  kind: 'found',
  isEnded: true,
  calls,
  expectedCalls: calls.length,
  attemptIds: [],
});
const inFlight = (...calls: TracedCall[]): TraceReading => ({
  kind: 'found',
  isEnded: false,
  calls,
  expectedCalls: null,
  attemptIds: [],
});

async function traced(): Promise<ClaimedTask> {
  const claimed = await world.running();
  await expectTrace(world.db, claimed);
  return claimed;
}

/** Lets everything be due, then has one worker look once. */
async function look(): Promise<void> {
  await world.db.execute(sql`
    update tickmark.attempt_traces set next_read_at = clock_timestamp() where next_read_at is not null`);
  await enrich()();
}

/** Moves the end of an attempt into the past. */
async function age({ attemptId }: ClaimedTask, seconds: number): Promise<void> {
  await world.db.execute(sql`
    update tickmark.task_attempts
    set claimed_at = claimed_at - make_interval(secs => ${seconds}), dispatched_at = dispatched_at - make_interval(secs => ${seconds}),
      finished_at = finished_at - make_interval(secs => ${seconds}), run_stopped_at = run_stopped_at - make_interval(secs => ${seconds})
    where id = ${attemptId}::uuid`);
}

async function traceRow({ attemptId }: ClaimedTask) {
  const { rows } = await world.db.execute<{ [column: string]: unknown }>(sql`
    select *, extract(epoch from next_read_at - clock_timestamp())::float8 as wait
    from tickmark.attempt_traces where attempt_id = ${attemptId}::uuid`);
  return rows[0];
}

async function figures({ attemptId }: ClaimedTask) {
  const { input_tokens, output_tokens, llm_cost_usd, trace_settled } = await world.attempt(attemptId);
  return {
    input: Number(input_tokens),
    output: Number(output_tokens),
    usd: Number(llm_cost_usd),
    settled: trace_settled,
  };
}

const usage = (inputTokens: number, outputTokens: number) => ({ model: 'priced', inputTokens, outputTokens });

test('M14: a whole trace is authoritative: its figures replace those of the callback, and both are kept', async () => {
  const run = await traced();
  await world.succeed(run, { usage: usage(1_000, 100) });
  source.readings.set(run.traceId, ended(call(2_000, 100, '0.023')));
  await look();
  expect(await figures(run)).toEqual({ input: 2_000, output: 100, usd: 0.023, settled: true });
  expect(await traceRow(run)).toMatchObject({
    status: 'complete',
    next_read_at: null,
    differs: true,
    input_tokens: '2000',
    llm_cost_usd: '0.023000000000',
    callback_cost_usd: '0.013000000000',
    priced_by: 'run',
  });
  expect((await world.attempt(run.attemptId)).usage).toMatchObject({ inputTokens: 1_000 });
});

test('figures that agree are no difference, to the last digit of a cost', async () => {
  const run = await traced();
  await world.succeed(run, { usage: usage(1_001, 100) });
  source.readings.set(run.traceId, ended(call(1_000, 50, '0.0115'), call(1, 50, '0.00151')));
  await look();
  expect(await traceRow(run)).toMatchObject({ status: 'complete', differs: false, model_calls: 2 });
});

test('M12: looking again, and late reports, count nothing twice; the trace stays, and the two are compared anew', async () => {
  const run = await traced();
  source.readings.set(run.traceId, ended(call(2_000, 100, '0.023')));
  await world.succeed(run, { usage: usage(2_000, 100) });
  await look();
  await look();
  const before = await figures(run);
  expect(await world.fail(run, {}, 'late')).toMatchObject({ outcome: 'noop' });
  await look();
  expect(await figures(run)).toEqual(before);
  expect(before).toEqual({ input: 2_000, output: 100, usd: 0.023, settled: true });
});

test('a final report that comes after its trace changes no figure, and is compared with it', async () => {
  const run = await traced();
  source.readings.set(run.traceId, ended(call(2_000, 100, '0.023')));
  await look();
  expect(await traceRow(run)).toMatchObject({ status: 'waiting', differs: false });
  expect(await figures(run)).toMatchObject({ input: 2_000, settled: true });
  await world.succeed(run, { usage: usage(5, 5) });
  expect(await figures(run)).toMatchObject({ input: 2_000, usd: 0.023 });
  await look();
  expect(await traceRow(run)).toMatchObject({ status: 'complete', differs: true });
});

test('M17: cost of a run in flight is read after each call, and never falls below what is known', async () => {
  const run = await traced();
  source.readings.set(run.traceId, inFlight(call(100, 10, '0.0013')));
  await look();
  expect(await figures(run)).toEqual({ input: 100, output: 10, usd: 0.0013, settled: false });
  await world.progress(run, { usage: usage(300, 30) });
  await look();
  expect(await figures(run)).toMatchObject({ input: 300, output: 30 });
  source.readings.set(run.traceId, inFlight(call(100, 10, '0.0013'), call(400, 10, '0.0043')));
  await look();
  expect(await figures(run)).toMatchObject({ input: 500, output: 20, usd: 0.0056 });
  expect(await traceRow(run)).toMatchObject({ status: 'waiting' });
});

test('a source that shows traces of ended runs only is not asked before', async () => {
  source.seesRunsInFlight = false;
  const run = await traced();
  await look();
  expect(source.asked).toEqual([]);
  expect(await traceRow(run)).toMatchObject({ status: 'waiting', error: null });
  await world.succeed(run);
  await look();
  expect(source.asked).toEqual([run.traceId]);
});

test('a trace that never comes is “missing” after hours of asking, and the figures of the callback stay', async () => {
  const run = await traced();
  await world.succeed(run, { usage: usage(1_000, 100) });
  await look();
  expect(await traceRow(run)).toMatchObject({ status: 'waiting', input_tokens: null });
  await age(run, 3_600);
  await look();
  expect(await traceRow(run)).toMatchObject({ status: 'waiting' });
  expect((await traceRow(run))?.wait).toBeGreaterThan(600);
  await age(run, 6 * 3_600);
  await look();
  expect(await traceRow(run)).toMatchObject({
    status: 'missing',
    next_read_at: null,
    input_tokens: null,
    llm_cost_usd: null,
  });
  expect(await figures(run)).toEqual({ input: 1_000, output: 100, usd: 0.013, settled: false });
});

test('a run that says it could not send its trace is given up sooner', async () => {
  const run = await traced();
  await world.succeed(run, { usage: { ...usage(10, 1), traceExported: false } });
  await age(run, 700);
  await look();
  expect(await traceRow(run)).toMatchObject({ status: 'missing' });
});

test('a trace without all the calls that its run made stays incomplete, and its figures do not replace more', async () => {
  const run = await traced();
  await world.succeed(run, { usage: usage(1_000, 100) });
  source.readings.set(run.traceId, {
    kind: 'found',
    isEnded: true,
    calls: [call(600, 60, '0.0078')],
    expectedCalls: 2,
    attemptIds: [],
  });
  await look();
  expect(await traceRow(run)).toMatchObject({ status: 'waiting', model_calls: 1, expected_calls: 2 });
  expect(await figures(run)).toMatchObject({ input: 1_000, settled: false });
  await age(run, 7 * 3_600);
  await look();
  expect(await traceRow(run)).toMatchObject({ status: 'incomplete', differs: false });
  expect(await figures(run)).toMatchObject({ input: 1_000, usd: 0.013 });
});

test('a run that was killed before it could report has what its trace shows', async () => {
  const run = await traced();
  await world.progress(run, { usage: usage(100, 10) });
  await world.fail(run, { retryable: false });
  await world.db.execute(
    sql`update tickmark.task_attempts set usage_final = false where id = ${run.attemptId}::uuid`,
  );
  source.readings.set(run.traceId, inFlight(call(100, 10, '0.0013'), call(100, 10, '0.0013')));
  await look();
  expect(await figures(run)).toMatchObject({ input: 200, output: 20, usd: 0.0026 });
});

test('while the server is away nothing is given up and it is not asked for each trace; then all is read', async () => {
  const runs = [await traced(), await traced(), await traced()];
  for (const run of runs) await world.succeed(run, { usage: usage(10, 1) });
  for (const run of runs) await age(run, 30 * 3_600);
  source.otherwise = new TraceSourceUnavailable('It is away.');
  await look();
  expect(source.asked.length).toBeLessThanOrEqual(4);
  for (const run of runs)
    expect(await traceRow(run)).toMatchObject({ status: 'waiting', error: 'It is away.' });
  source.otherwise = ended(call(10, 1, '0.00013'));
  await look();
  for (const run of runs) expect(await traceRow(run)).toMatchObject({ status: 'complete', error: null });
});

test('one trace that can’t be read does not hold up the others', async () => {
  const [bad, good] = [await traced(), await traced()];
  for (const run of [bad, good]) await world.succeed(run, { usage: usage(10, 1) });
  source.readings.set(bad.traceId, new TraceUnreadable('It answered 500.'));
  source.readings.set(good.traceId, ended(call(10, 1, '0.00013')));
  await look();
  expect(await traceRow(bad)).toMatchObject({ status: 'waiting', error: 'It answered 500.' });
  expect(await traceRow(good)).toMatchObject({ status: 'complete' });
});

test('two workers never read the same trace at once, and what a dead one had taken comes back', async () => {
  const run = await traced();
  await world.db.execute(sql`update tickmark.attempt_traces set next_read_at = clock_timestamp()`);
  await Promise.all([enrich()(), enrich()()]);
  expect(source.asked).toEqual([run.traceId]);
  await world.db.execute(
    sql`update tickmark.attempt_traces set next_read_at = clock_timestamp() - interval '1 second'`,
  );
  await enrich()();
  expect(source.asked).toEqual([run.traceId, run.traceId]);
});

test('what the run did not price has our price, else the server’s, else the whole is unpriced and never 0', async () => {
  const [ours, theirs, nobodys] = [await traced(), await traced(), await traced()];
  for (const run of [ours, theirs, nobodys])
    await world.succeed(run, { usage: { inputTokens: 10, outputTokens: 1 } });
  const guessed = (model: string) => ({ ...call(1_000, 100, '9', model), pricedBy: 'server' }) as const;
  source.readings.set(ours.traceId, ended(guessed('priced')));
  source.readings.set(theirs.traceId, ended(guessed('unknown')));
  source.readings.set(nobodys.traceId, ended(guessed('priced'), call(5, 5, null, 'unknown')));
  await look();
  expect(await traceRow(ours)).toMatchObject({ priced_by: 'price_table', llm_cost_usd: '0.013000000000' });
  expect(await traceRow(theirs)).toMatchObject({ priced_by: 'server', llm_cost_usd: '9.000000000000' });
  expect(await traceRow(nobodys)).toMatchObject({ priced_by: 'mixed', llm_cost_usd: null });
  expect((await world.attempt(nobodys.attemptId)).llm_cost_usd).toBeNull();
});

test('an attempt that never had a run, and one that is gone, are not asked about', async () => {
  const claimed = await world.claimed();
  await expectTrace(world.db, claimed);
  await world.db.execute(sql`
    update tickmark.task_attempts set status = 'snoozed', finished_at = clock_timestamp() where id = ${claimed.attemptId}::uuid`);
  await look();
  expect(await traceRow(claimed)).toBeUndefined();
  expect(source.asked).toEqual([]);
});

test('7: figures of tasks that were counted long ago follow the trace, and equal the same from the rows', async () => {
  const run = await traced();
  await world.succeed(run, { usage: usage(1_000, 100) });
  while ((await foldOnce(world.db)).isMore);
  source.readings.set(run.traceId, ended(call(2_000, 100, '0.023')));
  await look();
  while ((await foldOnce(world.db)).isMore);
  const { rows } = await world.db.execute<{ input_tokens: string; llm_cost_usd: string }>(sql`
    select input_tokens, llm_cost_usd from tickmark.task_facts where task_id = ${run.taskId}::uuid`);
  expect(rows).toEqual([{ input_tokens: '2000', llm_cost_usd: '0.023000000000' }]);
});

const found = ended as (...calls: TracedCall[]) => ReadTrace;
const manyCalls = (n: number, one: TracedCall) => Array.from({ length: n }, () => one);

test.each([
  ['half of a surrogate pair in the name of its model', () => found(call(1, 1, null, 'm\ud83d'))],
  ['a NUL in the name of its model', () => found(call(1, 1, null, 'm\u0000'))],
  ['more calls than its column holds', () => ({ ...found(call(1, 1)), expectedCalls: 3e9 })],
  ['tokens beyond all', () => found(...manyCalls(50, call(1e12, 1)))],
  ['money beyond all', () => found(...manyCalls(50, call(1, 1, '999999999999')))],
  [
    'something that our own code falls over',
    () => ({ ...found(), calls: [null] as unknown as TracedCall[] }),
  ],
])(
  'a trace that holds %s is one attempt’s trouble: others are read, and it ends by itself',
  async (_, bad) => {
    const bads: ClaimedTask[] = [];
    for (let n = 0; n < 5; n += 1) bads.push(await traced());
    const good = await traced();
    for (const run of [...bads, good]) await world.succeed(run, { usage: usage(10, 1) });
    for (const run of bads) source.readings.set(run.traceId, bad());
    source.readings.set(good.traceId, ended(call(10, 1, '0.00013')));
    await look();
    expect(await traceRow(good)).toMatchObject({ status: 'complete' });
    for (const run of bads) expect((await traceRow(run))?.error).toMatch(/The (trace|calls)/);
    for (const run of bads) await age(run, 7 * 3_600);
    await look();
    for (const run of bads) {
      const { status, next_read_at } = (await traceRow(run)) ?? {};
      expect(['missing', 'incomplete']).toContain(status);
      expect(next_read_at).toBeNull();
      expect(await figures(run)).toEqual({ input: 10, output: 1, usd: 0.00013, settled: false });
    }
  },
);

test('a trace that is too large is settled at once, in words, and the report’s figures stay', async () => {
  const run = await traced();
  source.readings.set(run.traceId, new TraceUnreadable('The trace is too large.', { isFinal: true }));
  await look();
  expect(await traceRow(run)).toMatchObject({ status: 'waiting', error: 'The trace is too large.' });
  await world.succeed(run, { usage: usage(10, 1) });
  await look();
  expect(await traceRow(run)).toMatchObject({
    status: 'incomplete',
    next_read_at: null,
    error: 'The trace is too large.',
  });
  expect(await figures(run)).toEqual({ input: 10, output: 1, usd: 0.00013, settled: false });
});

test('one trace that several agents report counts for one attempt; the others have the one of their own', async () => {
  const shared = 'a'.repeat(32);
  const runs = [await traced(), await traced(), await traced()];
  for (const run of runs) {
    await world.succeed(run, { traceId: `tr-${shared}`, usage: usage(10, 1) });
    source.readings.set(run.traceId, ended(call(7, 1, '0.0001')));
  }
  source.readings.set(shared, ended(...manyCalls(3, call(10, 1, '0.00013'))));
  await look();
  await look();
  const costs = await Promise.all(runs.map(async (run) => (await figures(run)).usd));
  expect(costs.sort()).toEqual([0.0001, 0.0001, 0.00039]);
  expect((await Promise.all(runs.map(traceRow))).map((row) => row?.status)).toEqual(manyOf(3, 'complete'));
});

const manyOf = <T>(n: number, one: T): T[] => Array.from({ length: n }, () => one);

test('an agent that reports the trace id of another attempt does not get its figures', async () => {
  const [thief, owner] = [await traced(), await traced()];
  await world.succeed(thief, { traceId: owner.traceId, usage: usage(10, 1) });
  await world.succeed(owner, { usage: usage(500, 50) });
  source.readings.set(owner.traceId, ended(call(500, 50, '0.0065')));
  await look();
  expect(await figures(owner)).toMatchObject({ input: 500, settled: true });
  expect(await figures(thief)).toMatchObject({ input: 10, settled: false });
  expect(await traceRow(thief)).toMatchObject({
    status: 'waiting',
    error: 'The trace that its agent reported is another attempt’s.',
  });
});

test('an id of the agent’s own is read where no other attempt has it', async () => {
  const run = await traced();
  await world.succeed(run, { traceId: 'b'.repeat(32), usage: usage(10, 1) });
  source.readings.set('b'.repeat(32), ended(call(20, 2, '0.00026')));
  await look();
  expect(await figures(run)).toEqual({ input: 20, output: 2, usd: 0.00026, settled: true });
});

test('a trace whose root names another attempt is not this one’s', async () => {
  const [run, own] = [await traced(), await traced()];
  for (const one of [run, own]) await world.succeed(one, { usage: usage(10, 1) });
  source.readings.set(run.traceId, { ...found(call(20, 2, '1')), attemptIds: [own.attemptId] });
  source.readings.set(own.traceId, { ...found(call(20, 2, '1')), attemptIds: [own.attemptId] });
  await look();
  expect(await traceRow(run)).toMatchObject({
    status: 'waiting',
    error: 'The trace says that it is of another attempt.',
  });
  expect(await figures(run)).toMatchObject({ input: 10, settled: false });
  expect(await figures(own)).toMatchObject({ input: 20, settled: true });
});

test('a whole trace without any call differs from a report of tokens, whose figures stay', async () => {
  const [spent, idle] = [await traced(), await traced()];
  await world.succeed(spent, { usage: usage(1_000, 500) });
  await world.succeed(idle, { usage: usage(0, 0) });
  for (const run of [spent, idle]) source.readings.set(run.traceId, ended());
  await look();
  expect(await traceRow(spent)).toMatchObject({ status: 'complete', differs: true, model_calls: 0 });
  expect(await figures(spent)).toMatchObject({ input: 1_000, output: 500 });
  expect(await traceRow(idle)).toMatchObject({ status: 'complete', differs: false });
});
