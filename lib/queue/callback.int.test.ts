import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Callback } from '@/lib/contract/callback';
import { priceUsages } from '@/lib/usage/price';
import { QueueWorld } from '@/test/queue-world';
import { until } from '@/test/until';
import { applyCallback } from './callback';
import { cancelTask } from './cancel';
import type { ClaimedTask } from './claim';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const APPLIED = { outcome: 'applied', stop: false };

/** What holds for one delivery holds for it in a group, too. */
function onBothPaths(name: string, tests: () => void): void {
  for (const path of ['alone', 'in a group'] as const) {
    describe(`${name}, ${path}`, () => {
      beforeEach(() => {
        world.inCompany = path === 'in a group';
      });
      tests();
    });
  }
}

/** Loses the attempt of a task, as the sweeper does, so that the task waits again. */
async function lose(claimed: ClaimedTask): Promise<void> {
  await world.db.execute(sql`
    update tickmark.task_attempts set status = 'lost', finished_at = clock_timestamp(), run_stopped_at = clock_timestamp()
    where id = ${claimed.attemptId}::uuid`);
  await world.db.execute(sql`
    update tickmark.tasks set status = 'enqueued', current_attempt_id = null, lease_expires_at = null where id = ${claimed.taskId}::uuid`);
}

onBothPaths('callback: success', () => {
  it('M12: completes a task in processing, with result, confidence, usage, cost and history', async () => {
    const run = await world.running();
    const usage = { model: 'tickmark-rules-1', inputTokens: 1234, outputTokens: 210, costUsd: '9.99' };
    const result = {
      documentType: 'invoice',
      confidence: 0.97,
      fields: [{ name: 'grand_total', value: '1234.50' }],
    };
    expect(await world.succeed(run, { result, usage, traceId: 'tr-1' })).toEqual(APPLIED);
    const task = await world.task(run.taskId);
    expect(task).toMatchObject({ status: 'completed', current_attempt_id: null, lease_expires_at: null });
    expect(task).toMatchObject({ locked_by: `run-${run.attemptId}`, error_code: null });
    expect(task.confidence).toBeCloseTo(0.97);
    expect(task.result).toMatchObject({ documentType: 'invoice' });
    expect(task.finished_at).not.toBeNull();
    const attempt = await world.attempt(run.attemptId);
    expect(attempt).toMatchObject({
      status: 'succeeded',
      trace_id: 'tr-1',
      model: 'tickmark-rules-1',
      input_tokens: '1234',
    });
    // 1234 × 0.10 / 1e6 + 210 × 0.40 / 1e6, whatever the agent says.
    expect(attempt).toMatchObject({ llm_cost_usd: '0.000207400000', reported_cost_usd: '9.990000000000' });
    expect(attempt.run_stopped_at).not.toBeNull();
    expect(await world.story(run.taskId)).toEqual([
      '>enqueued user',
      'enqueued>processing worker',
      'processing>completed agent',
    ]);
  });

  it('M12: is accepted from a lost attempt while its task waits again', async () => {
    const run = await world.running();
    await lose(run);
    expect(await world.succeed(run)).toEqual(APPLIED);
    expect((await world.task(run.taskId)).status).toBe('completed');
    expect((await world.attempt(run.attemptId)).status).toBe('succeeded');
    expect(await world.claim(1)).toEqual([]);
  });

  it('invariant 3, N5: of an old attempt completes the task and supersedes the one that acts, whose slot still counts', async () => {
    const old = await world.running();
    await lose(old);
    const [now] = await world.claim(1);
    if (!now) throw new Error('not claimed again');
    await world.dispatch(now);
    expect(await world.succeed(old)).toEqual(APPLIED);
    expect((await world.task(old.taskId)).status).toBe('completed');
    const superseded = await world.attempt(now.attemptId);
    expect(superseded).toMatchObject({ status: 'superseded', run_stopped_at: null });
    // The superseded run is told to end; what it says is no longer heard, what it used is.
    expect(await world.progress(now)).toEqual({ outcome: 'noop', stop: true });
    expect(
      await world.succeed(now, { usage: { model: 'tickmark-rules-1', inputTokens: 10, outputTokens: 0 } }),
    ).toEqual({
      outcome: 'noop',
      stop: true,
    });
    expect(await world.attempt(now.attemptId)).toMatchObject({
      status: 'superseded',
      llm_cost_usd: '0.000001000000',
    });
    expect((await world.attempt(now.attemptId)).run_stopped_at).not.toBeNull();
  });

  it('may overtake the note of its own dispatch', async () => {
    const claimed = await world.claimed();
    expect(await world.succeed(claimed)).toEqual(APPLIED);
    expect(await world.dispatch(claimed)).toBe('stale');
    expect((await world.task(claimed.taskId)).locked_by).toBe(`run-${claimed.attemptId}`);
    expect((await world.attempt(claimed.attemptId)).status).toBe('succeeded');
  });

  it('B28, C6, invariant 3: after a cancel was requested ends cancelled; its result stays with the attempt', async () => {
    const run = await world.running();
    await cancelTask(world.db, { taskId: run.taskId, actor: 'user:1' });
    expect(await world.succeed(run, { usage: { inputTokens: 5 } })).toEqual({
      outcome: 'applied',
      stop: true,
    });
    expect(await world.task(run.taskId)).toMatchObject({ status: 'cancelled', result: null });
    expect(await world.attempt(run.attemptId)).toMatchObject({ status: 'cancelled', input_tokens: '5' });
    expect((await world.attempt(run.attemptId)).result).toMatchObject({ documentType: 'invoice' });
  });

  it('runs what the caller adds in the same transaction, once, and nothing stays when it throws', async () => {
    const run = await world.running();
    const broken = world.delivery(run, { type: 'attempt.succeeded' });
    const boom = async () => {
      throw new Error('boom');
    };
    await expect(world.deliver(broken, { onCompleted: boom })).rejects.toThrow('boom');
    expect((await world.task(run.taskId)).status).toBe('processing');
    const seen: string[] = [];
    const onCompleted = async (_: unknown, { taskId }: { taskId: string }) => void seen.push(taskId);
    expect(await world.deliver(broken, { onCompleted })).toEqual(APPLIED);
    expect(await world.deliver(broken, { onCompleted })).toEqual(APPLIED);
    expect(seen).toEqual([run.taskId]);
  });
});

onBothPaths('callback: the same again, and others', () => {
  it('M12, B44: the same delivery 50 times at once gives one result, one history entry and 50 equal answers', async () => {
    const run = await world.running();
    const delivery = world.delivery(run, {
      type: 'attempt.succeeded',
      usage: { model: 'tickmark-rules-1', inputTokens: 1_000_000, outputTokens: 0 },
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.deliver(delivery)));
    expect(answers).toEqual(Array(50).fill(APPLIED));
    expect((await world.story(run.taskId)).filter((line) => line.includes('>completed'))).toHaveLength(1);
    expect((await world.attempt(run.attemptId)).llm_cost_usd).toBe('0.100000000000');
    expect(await world.deliver(delivery)).toEqual(APPLIED);
  });

  it('M12: another delivery after the end is a noop and changes nothing, neither result nor cost', async () => {
    const run = await world.running();
    await world.succeed(run, { usage: { model: 'tickmark-rules-1', inputTokens: 100, outputTokens: 0 } });
    const before = [await world.task(run.taskId), await world.attempt(run.attemptId)];
    const other = { result: { documentType: 'contract' }, usage: { inputTokens: 999, costUsd: '5' } };
    expect(await world.succeed(run, other)).toEqual({ outcome: 'noop', stop: false });
    expect(await world.fail(run)).toEqual({ outcome: 'noop', stop: false });
    const after = [await world.task(run.taskId), await world.attempt(run.attemptId)];
    const still = (rows: Record<string, unknown>[]) =>
      rows.map(({ last_sign_at, wait_seconds, lease_seconds, ...row }) => row);
    expect(still(after)).toEqual(still(before));
  });

  it('M12: fifty different successes at once complete it once', async () => {
    const run = await world.running();
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.succeed(run)));
    expect(answers.filter((answer) => answer.outcome === 'applied')).toHaveLength(1);
    expect(answers.filter((answer) => answer.outcome === 'noop')).toHaveLength(49);
    expect((await world.story(run.taskId)).filter((line) => line.includes('>completed'))).toHaveLength(1);
  });

  it('an answer of an early delivery is the same after the end', async () => {
    const run = await world.running();
    const early = world.delivery(run, { type: 'attempt.progress', progress: { done: 1, total: 3 } });
    const answer = await world.deliver(early);
    await world.succeed(run);
    expect(await world.deliver(early)).toEqual(answer);
  });

  it('success and failure of one attempt at once: one of them is applied, the task is not torn', async () => {
    for (let i = 0; i < 10; i++) {
      const run = await world.running();
      await Promise.all([
        world.succeed(run),
        world.fail(run, { code: 'password_required', retryable: false }),
      ]);
      const task = await world.task(run.taskId);
      const attempt = await world.attempt(run.attemptId);
      expect([`${task.status}`, `${attempt.status}`]).toEqual(
        task.status === 'completed' ? ['completed', 'succeeded'] : ['failed', 'failed'],
      );
    }
  });
});

onBothPaths('callback: failure and progress', () => {
  it('M36: a retryable failure queues the task again, later, and keeps the attempt', async () => {
    const run = await world.running();
    expect(await world.fail(run, { code: 'timeout' })).toEqual(APPLIED);
    const task = await world.task(run.taskId);
    expect(task).toMatchObject({ status: 'enqueued', attempt_count: 1, parked: 'later', locked_by: null });
    expect(task.wait_seconds).toBeGreaterThan(0.5);
    expect(task.wait_seconds).toBeLessThan(2.1);
    expect(await world.claim(1)).toEqual([]);
    await world.makeDue();
    const [again] = await world.claim(1);
    expect(again).toMatchObject({ taskId: run.taskId, number: 2 });
    expect(await world.attempts(run.taskId)).toMatchObject([
      { number: 1, status: 'failed', error_code: 'timeout' },
      { number: 2, status: 'claimed' },
    ]);
  });

  it('M36: the attempts used up, it fails with the last error', async () => {
    const [taskId] = await world.enqueue(1);
    for (let i = 0; i < 3; i++) {
      await world.makeDue();
      const [claimed] = await world.claim(1);
      if (!claimed) throw new Error('not claimed');
      await world.fail(claimed, { message: `no. ${i}` });
    }
    expect(await world.task(taskId as string)).toMatchObject({
      status: 'failed',
      error_code: 'internal',
      error_message: 'no. 2',
      attempt_count: 3,
    });
  });

  it('a permanent code is not tried again, whatever the agent thinks of it', async () => {
    const run = await world.running();
    await world.fail(run, { code: 'password_required', retryable: true });
    expect(await world.task(run.taskId)).toMatchObject({ status: 'failed', error_code: 'password_required' });
  });

  it('B16: Retry-After is a floor for the task, and the agent cools down for every worker', async () => {
    const run = await world.running();
    await world.enqueue(1);
    await world.fail(run, { code: 'rate_limited', retryAfterSeconds: 60 });
    expect((await world.task(run.taskId)).wait_seconds).toBeGreaterThan(59);
    expect(await world.claim(10)).toEqual([]);
    const { rows } = await world.db.execute<{ s: number }>(sql`
      select extract(epoch from cooling_until - clock_timestamp())::float8 as s from tickmark.agents where id = 'invoice'`);
    expect(rows[0]?.s).toBeGreaterThan(59);
  });

  it('B1, invariant 3: failure and progress of an attempt that no longer acts are only recorded', async () => {
    const old = await world.running();
    await lose(old);
    expect(await world.progress(old)).toEqual({ outcome: 'recorded', stop: false });
    expect(await world.fail(old, { code: 'password_required', retryable: false })).toMatchObject({
      outcome: 'recorded',
    });
    expect(await world.task(old.taskId)).toMatchObject({ status: 'enqueued', error_code: null });
    const [now] = await world.claim(1);
    if (!now) throw new Error('not claimed again');
    expect(await world.progress(old)).toEqual({ outcome: 'recorded', stop: true });
    expect(await world.fail(old)).toEqual({ outcome: 'recorded', stop: true });
    expect(await world.task(old.taskId)).toMatchObject({
      status: 'processing',
      current_attempt_id: now.attemptId,
    });
  });

  it('M17: progress notes pages and usage so far, and tells a cancelled run to stop', async () => {
    const run = await world.running();
    const usage = (inputTokens: number) => ({ usage: { model: 'tickmark-rules-1', inputTokens } });
    expect(await world.progress(run, { progress: { done: 2, total: 9 }, ...usage(2000) })).toEqual(APPLIED);
    expect(await world.attempt(run.attemptId)).toMatchObject({
      progress_done: 2,
      progress_total: 9,
      input_tokens: '2000',
      llm_cost_usd: '0.000200000000',
    });
    // Out of order: cumulative figures never go down.
    await world.progress(run, { progress: { done: 1, total: 9 }, ...usage(1000) });
    expect(await world.attempt(run.attemptId)).toMatchObject({ progress_done: 2, input_tokens: '2000' });
    await cancelTask(world.db, { taskId: run.taskId, actor: 'user:1' });
    expect(await world.progress(run)).toEqual({ outcome: 'applied', stop: true });
    // The final report replaces what progress said, also downwards, and nothing replaces it.
    await world.succeed(run, usage(1500));
    await world.progress(run, usage(9000));
    expect(await world.attempt(run.attemptId)).toMatchObject({ input_tokens: '1500' });
  });

  it('B21: a final report that does not name its model again is priced as that of the progress before', async () => {
    const last = { usage: { model: null, inputTokens: 3000 } };
    for (const end of [
      { type: 'attempt.succeeded', ...last },
      { type: 'attempt.failed', ...last },
    ]) {
      const run = await world.running();
      await world.progress(run, { usage: { model: 'tickmark-rules-1', inputTokens: 1000 } });
      await world.deliver(world.delivery(run, end));
      expect(await world.attempt(run.attemptId)).toMatchObject({
        model: 'tickmark-rules-1',
        input_tokens: '3000',
        llm_cost_usd: '0.000300000000',
      });
    }
  });

  it('B21: nor is it lost where the progress that names the model is being applied in that moment', async () => {
    const run = await world.running();
    const progress = world.delivery(run, {
      type: 'attempt.progress',
      usage: { model: 'tickmark-rules-1', inputTokens: 1000 },
    });
    const succeeding = await world.db.transaction(async (tx) => {
      await applyCallback(tx as never, progress, { priceUsages });
      const succeeding = world.succeed(run, { usage: { model: null, inputTokens: 3000 } });
      await until('the success to wait for the task', async () => {
        const { rows } = await world.db.execute(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
        return rows.length > 0;
      });
      return { succeeding };
    });
    expect(await succeeding.succeeding).toEqual(APPLIED);
    expect((await world.attempt(run.attemptId)).llm_cost_usd).toBe('0.000300000000');
  });

  it('a failure after a cancel was requested ends cancelled, never in the queue', async () => {
    const run = await world.running();
    await cancelTask(world.db, { taskId: run.taskId, actor: 'user:1' });
    expect((await world.fail(run)).outcome).toBe('applied');
    expect((await world.task(run.taskId)).status).toBe('cancelled');
    expect(await world.attempt(run.attemptId)).toMatchObject({ status: 'cancelled', error_code: 'internal' });
  });

  it('B25, C6: usage of a lost attempt whose report comes after the end is recorded, once', async () => {
    const old = await world.running();
    await lose(old);
    const [now] = await world.claim(1);
    if (!now) throw new Error('not claimed again');
    await world.succeed(now);
    expect((await world.succeed(old, { usage: { inputTokens: 70, costUsd: '0.5' } })).outcome).toBe('noop');
    expect((await world.succeed(old, { usage: { inputTokens: 80, costUsd: '0.7' } })).outcome).toBe('noop');
    expect(await world.attempt(old.attemptId)).toMatchObject({
      status: 'lost',
      input_tokens: '70',
      llm_cost_usd: '0.500000000000',
    });
  });
});

onBothPaths('callback: hostile input', () => {
  it('an unknown attempt, a malformed one, and a body about another task are refused with words', async () => {
    const run = await world.running();
    const unknown = { taskId: run.taskId, attemptId: randomUUID() };
    await expect(world.succeed(unknown)).rejects.toMatchObject({ code: 'not_found' });
    const delivery = world.delivery(run, { type: 'attempt.succeeded' });
    await expect(world.deliver({ ...delivery, attemptId: "x' or 1=1" })).rejects.toMatchObject({
      code: 'not_found',
    });
    const other = await world.running();
    await expect(world.deliver({ ...delivery, attemptId: other.attemptId })).rejects.toMatchObject({
      code: 'bad_request',
    });
    const foreign = world.delivery(
      { taskId: other.taskId, attemptId: run.attemptId },
      { type: 'attempt.succeeded' },
    );
    await expect(world.deliver(foreign)).rejects.toMatchObject({ code: 'bad_request' });
    expect((await world.task(run.taskId)).status).toBe('processing');
  });

  it('C3: a webhook id of any length and content is a key of its own', async () => {
    const ids = [
      '\u0000',
      'x'.repeat(100_000),
      `${'x'.repeat(100_000)}y`,
      '\ud800',
      '💥'.repeat(90),
      "'; drop table tasks; --",
    ];
    for (const id of ids) {
      const run = await world.running();
      const delivery = world.delivery(run, { type: 'attempt.succeeded' }, id);
      expect(await world.deliver(delivery)).toEqual(APPLIED);
      expect(await world.deliver(delivery)).toEqual(APPLIED);
    }
  });

  it('invariant 9, B42: whatever the schema lets through is stored, read back, and ends the task', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u0000', '\ud800', 'a\u0000b\udfff', '\u202e'),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double(),
        fc.constantFrom(1e308, -1e308, 5e-324, null, true),
        tie('list'),
      ),
      list: fc.oneof(fc.array(tie('any'), { maxLength: 4 }), fc.dictionary(text, tie('any'), { maxKeys: 4 })),
    })).any;
    const confidence = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(5e-324, 1e-60, 1),
    );
    await fc.assert(
      fc.asyncProperty(value, text, confidence, fc.nat(), async (hostile, words, sure, tokens) => {
        const run = await world.running();
        const body = {
          type: 'attempt.succeeded',
          taskId: run.taskId,
          attemptId: run.attemptId,
          traceId: words.slice(0, 200),
          runId: words.slice(0, 200),
          result: {
            confidence: sure,
            warnings: [{ code: words.slice(0, 100), message: words }],
            fields: [{ name: `n${words}`.slice(0, 200), value: hostile, confidence: sure }],
          },
          usage: {
            model: words.slice(0, 200),
            inputTokens: tokens * 400,
            cachedInputTokens: tokens,
            calls: [hostile],
          },
        };
        const parsed = Callback.safeParse(body);
        expect(parsed.error).toBeUndefined();
        if (!parsed.success) return;
        const delivery = { attemptId: run.attemptId, webhookId: words, callback: parsed.data };
        expect(await world.deliver(delivery)).toEqual(APPLIED);
        const task = await world.task(run.taskId);
        expect(task.status).toBe('completed');
        expect(JSON.stringify(task.result)).not.toContain('\\u0000');
      }),
      { numRuns: 60 },
    );
  });

  it('the largest numbers that the schema allows are counted and priced', async () => {
    const run = await world.running();
    const most = 1_000_000_000_000;
    const usage = {
      model: 'tickmark-rules-1',
      inputTokens: most,
      cachedInputTokens: most,
      cacheWriteTokens: most,
      outputTokens: most,
    };
    await world.succeed(run, { usage });
    // Cached and written do not fit into the input, so they come on top: 3 × 0.10 and 0.40, per million.
    expect((await world.attempt(run.attemptId)).llm_cost_usd).toBe('700000.000000000000');
    await world.db.execute(sql`update tickmark.agents set max_tpm = 1000 where id = 'invoice'`);
    await world.enqueue(1);
    expect(await world.claim(1)).toEqual([]);
  });
});
