import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Callback, CallbackEnvelope } from '@/lib/contract/callback';
import { verifyDelivery } from '@/lib/contract/signature';
import { type CallbackSink, startCallbackSink } from '@/test/callback-sink';
import { createRunFixture, type RunChange, type RunFixture, runs } from '@/test/run-fixture';
import { until } from '@/test/until';

const KEY = 'f'.repeat(64);
let fixture: RunFixture;
let sink: CallbackSink;
beforeEach(async () => {
  [fixture, sink] = await Promise.all([createRunFixture(), startCallbackSink(KEY)]);
});
afterEach(async () => {
  await Promise.all([fixture.close(), sink.close()]);
});

async function submit(behaviour: string, change: Partial<RunChange> = {}): Promise<string> {
  const request = await fixture.request(behaviour, { callback: { url: sink.url, key: KEY }, ...change });
  await fixture.newRunner(8).submit(request);
  return request.attemptId;
}

async function whenGone(attemptId: string): Promise<void> {
  const runId = `local-${attemptId}`;
  await until('the run to be gone', async () => {
    return (await fixture.newRunner(8).status([runId])).get(runId)?.state === 'gone';
  });
  for (const pid of await fixture.childPids(attemptId)) expect(await runs(pid)).toBe(false);
}

async function finalOf(attemptId: string): Promise<Callback> {
  await whenGone(attemptId);
  const finals = sink.received.filter(
    ({ callback }) => callback.attemptId === attemptId && callback.type !== 'attempt.progress',
  );
  expect(finals.map(({ signature }) => signature)).toEqual(['ok']);
  return Callback.parse(finals[0]?.callback);
}

async function outboxOf(attemptId: string): Promise<CallbackEnvelope | null> {
  const content = await fixture.read(attemptId, 'outbox.json');
  return content === null ? null : CallbackEnvelope.parse(JSON.parse(content));
}

test('a success is reported once, signed, and stands in the outbox as the same delivery', async () => {
  const attemptId = await submit('succeed');
  expect(await finalOf(attemptId)).toMatchObject({
    type: 'attempt.succeeded',
    attemptId,
    runId: `local-${attemptId}`,
    traceId: 'trace',
    usage: { model: 'fake', inputTokens: 100, outputTokens: 10 },
    result: { documentType: 'invoice' },
  });
  const outbox = await outboxOf(attemptId);
  expect(outbox && verifyDelivery(KEY, outbox.webhook, outbox.payload, true)).toBe('ok');
  expect(outbox?.webhook.id).toBe(sink.received.at(-1)?.webhookId);
  expect(Callback.parse(JSON.parse(outbox?.payload ?? ''))).toEqual(sink.received.at(-1)?.callback);
});

test('a failure keeps its code, its words and whether another try can help', async () => {
  const permanent = await finalOf(await submit('fail:corrupt_pdf'));
  expect(permanent).toMatchObject({
    type: 'attempt.failed',
    error: { code: 'corrupt_pdf', retryable: false },
  });
  const retryable = await finalOf(await submit('fail:internal'));
  expect(retryable).toMatchObject({ type: 'attempt.failed', error: { code: 'internal', retryable: true } });
});

test('B39: a document that wants gigabytes outside the heap is ended at the limit as resource_limit', async () => {
  const callback = await finalOf(await submit('memory', { maxMemoryMb: 400 }));
  expect(callback).toMatchObject({
    type: 'attempt.failed',
    error: { code: 'resource_limit', retryable: false },
  });
});

test('a document that fills the heap is ended as resource_limit', async () => {
  const callback = await finalOf(await submit('heap', { maxMemoryMb: 300 }));
  expect(callback).toMatchObject({
    type: 'attempt.failed',
    error: { code: 'resource_limit', retryable: false },
  });
});

test.each(['hang', 'spin'])(
  'B40: a reader that never ends (%s) is ended at the time limit as timeout',
  async (how) => {
    const callback = await finalOf(await submit(how, { maxRunSeconds: 1 }));
    expect(callback).toMatchObject({ type: 'attempt.failed', error: { code: 'timeout', retryable: true } });
  },
);

test.each(['crash', 'leave'])(
  'B39: a reader that ends without an answer (%s) is reported as internal',
  async (how) => {
    const callback = await finalOf(await submit(how));
    expect(callback).toMatchObject({ type: 'attempt.failed', error: { code: 'internal', retryable: true } });
  },
);

test('B25: usage that was reported before a crash is kept', async () => {
  const callback = await finalOf(await submit('crash'));
  expect(callback.usage).toMatchObject({ inputTokens: 100 });
});

test('messages without meaning are passed over, a flood of them ends the run', async () => {
  expect((await finalOf(await submit('garbage'))).type).toBe('attempt.succeeded');
  expect(await finalOf(await submit('flood'))).toMatchObject({ error: { code: 'internal' } });
});

test('B45: a result that is too large for a callback is reported as resource_limit, with its usage', async () => {
  const callback = await finalOf(await submit('huge'));
  expect(callback).toMatchObject({ error: { code: 'resource_limit' }, usage: { inputTokens: 100 } });
});

test('of many progress reports few are sent, in order, none after the end', async () => {
  const attemptId = await submit('progress');
  expect((await finalOf(attemptId)).type).toBe('attempt.succeeded');
  const sent = sink.received.map(({ callback }) => callback);
  expect(sent.length).toBeLessThan(10);
  expect(sent.at(-1)?.type).toBe('attempt.succeeded');
});

test('B1: the answer stop ends the run and its child', async () => {
  sink.answer = { status: 200, body: { outcome: 'recorded', stop: true } };
  const attemptId = await submit('progressThenHang');
  await whenGone(attemptId);
  expect(await outboxOf(attemptId)).toBeNull();
  expect(sink.received.map(({ callback }) => callback.type)).toEqual(['attempt.progress']);
});

test('a child that stays after its answer is ended with all that it started', async () => {
  expect((await finalOf(await submit('linger'))).type).toBe('attempt.succeeded');
  const attemptId = await submit('grandchild');
  await until('a grandchild', async () => (await fixture.childPids(attemptId)).length === 2);
  await fixture.newRunner(8).cancel(`local-${attemptId}`);
  await whenGone(attemptId);
});

test('while the app is down the answer waits in the outbox, and the host goes', async () => {
  sink.answer = { status: 503, body: {} };
  const attemptId = await submit('succeed');
  await whenGone(attemptId);
  expect((await outboxOf(attemptId))?.payload).toContain('attempt.succeeded');
  expect(new Set(sink.received.map(({ webhookId }) => webhookId)).size).toBe(1);
  expect(sink.received.length).toBeGreaterThan(1);
});

test('an answer that the app refuses for good is not sent again', async () => {
  sink.answer = { status: 400, body: {} };
  const attemptId = await submit('succeed');
  await whenGone(attemptId);
  expect(sink.received).toHaveLength(1);
});

test('a run sees no secret in its environment', async () => {
  process.env.TICKMARK_TEST_SECRET = randomUUID();
  const attemptId = await submit('succeed');
  await whenGone(attemptId);
  const seen = await fixture.read(attemptId, 'child-env.json');
  expect(seen).toContain('PATH');
  expect(seen).not.toContain(process.env.TICKMARK_TEST_SECRET);
});
