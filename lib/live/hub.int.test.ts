import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { GET } from '@/app/api/v1/events/route';
import { ChangeEvent } from '@/lib/contract/live';
import { cancelTask } from '@/lib/queue/cancel';
import { enqueueTasks } from '@/lib/queue/enqueue';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';

interface Received {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

let app: TestApp;
const open: AbortController[] = [];

beforeAll(async () => {
  app = await createTestApp();
});
afterEach(() => {
  for (const controller of open.splice(0)) controller.abort();
});
afterAll(() => app.close());

/** Opens a stream as a browser does and hands out its events one by one. */
async function connect(headers: Record<string, string> = {}): Promise<() => Promise<Received>> {
  const controller = new AbortController();
  open.push(controller);
  const response = await call(GET, {
    headers: { ...(await bearer('auditor')), ...headers },
    signal: controller.signal,
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  return async () => {
    while (!buffer.includes('\n\n')) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error('the stream ended');
      buffer += value;
    }
    const end = buffer.indexOf('\n\n');
    const lines = Object.fromEntries(
      buffer
        .slice(0, end)
        .split('\n')
        .map((line) => line.split(/: (.*)/s, 2)),
    );
    buffer = buffer.slice(end + 2);
    return { event: lines.event, id: lines.id, data: JSON.parse(lines.data) };
  };
}

/** The next event of a kind; heartbeats in between are passed over. */
async function next(read: () => Promise<Received>, event: string): Promise<Received> {
  for (;;) {
    const received = await read();
    if (received.event === event) return received;
  }
}

async function enqueue(count = 1): Promise<string[]> {
  const task = {
    agentId: 'invoice',
    priority: 50,
    input: {},
    estimate: { tokens: 1, seconds: 1 },
    actor: 'test',
  };
  return (
    await enqueueTasks(
      app.db,
      Array.from({ length: count }, () => task),
    )
  ).map(({ id }) => id);
}

describe('the live stream', () => {
  test('M22: tells every stream which task changed, and the counts', async () => {
    const [one, two] = [await connect(), await connect()];
    await Promise.all([next(one, 'heartbeat'), next(two, 'heartbeat')]);
    const [id] = await enqueue();
    for (const read of [one, two]) {
      const change = ChangeEvent.parse((await next(read, 'change')).data);
      expect(change).toMatchObject({
        tasks: [{ id, status: 'enqueued', agent: 'invoice', extractionId: null }],
        truncated: false,
      });
      expect(change.counts.enqueued).toBeGreaterThan(0);
    }
    await cancelTask(app.db, { taskId: id ?? '', actor: 'test' });
    expect(ChangeEvent.parse((await next(one, 'change')).data).tasks).toMatchObject([
      { id, status: 'cancelled' },
    ]);
  });

  test('M23: a status changed by hand is told as well, though no event row says so', async () => {
    const read = await connect();
    await next(read, 'heartbeat');
    const [id] = await enqueue();
    await next(read, 'change');
    await app.db.$client.query(
      "update tickmark.tasks set status = 'failed', finished_at = now() where id = $1",
      [id],
    );
    expect(ChangeEvent.parse((await next(read, 'change')).data)).toMatchObject({
      tasks: [],
      truncated: true,
    });
  });

  test('many changes at once are one event that says that it does not list all', async () => {
    const read = await connect();
    await next(read, 'heartbeat');
    await enqueue(500);
    const change = ChangeEvent.parse((await next(read, 'change')).data);
    expect(change.truncated).toBe(true);
    expect(change.tasks.length).toBeLessThanOrEqual(200);
  });

  test('B12: a burst of separate commits is told at most four times a second, and its end is always told', async () => {
    const read = await connect();
    await next(read, 'heartbeat');
    const began = performance.now();
    let last = '';
    for (let n = 0; n < 60; n += 1) last = (await enqueue())[0] ?? '';
    const elapsed = performance.now() - began;
    let changes = 0;
    for (let seen = false; !seen; changes += 1) {
      const change = ChangeEvent.parse((await next(read, 'change')).data);
      seen = change.tasks.some(({ id }) => id === last);
    }
    // The first at once, then one per quarter of a second, and the last after the burst.
    expect(changes).toBeLessThanOrEqual(2 + elapsed / 250);
  });

  test('B34: a reader that comes back is told to refetch first of all', async () => {
    const first = await connect();
    const { id } = await next(first, 'heartbeat');
    const again = await connect({ 'last-event-id': id });
    expect((await again()).event).toBe('resync');
  });

  test('B11: when the listening session is cut, it comes back, says so, and goes on telling changes', async () => {
    const read = await connect();
    await next(read, 'heartbeat');
    await app.db.$client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database() and (query ilike 'listen%' or query ilike '%listen_probe%')",
    );
    await next(read, 'resync');
    await enqueue();
    await next(read, 'change');
  });

  test('B34: is marked so that no proxy holds it back, packs or keeps it', async () => {
    const controller = new AbortController();
    open.push(controller);
    const headers = await bearer('auditor');
    const response = await call(GET, { headers, signal: controller.signal });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
  });

  test('B26: a change is read once, however many look on', async () => {
    const readers = await Promise.all(Array.from({ length: 40 }, () => connect()));
    await Promise.all(readers.map((read) => next(read, 'heartbeat')));
    const spy = vi.spyOn(app.db.$client, 'query');
    await enqueue(1);
    const seen = await Promise.all(readers.map((read) => next(read, 'change')));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(1);
    const reads = spy.mock.calls.filter((call) => JSON.stringify(call).includes('/* live.'));
    spy.mockRestore();
    // Events, tasks and counts, twice at most: a ping may come while they are being read.
    expect(reads.length).toBeGreaterThanOrEqual(3);
    expect(reads.length).toBeLessThanOrEqual(6);
  });

  test('asking with HEAD opens no stream', async () => {
    const before = app.runtime.live.subscribers;
    const response = await call(GET, { method: 'HEAD', headers: await bearer('auditor') });
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: null });
    expect(app.runtime.live.subscribers).toBe(before);
  });

  test('a reader that goes away is forgotten', async () => {
    const before = app.runtime.live.subscribers;
    await next(await connect(), 'heartbeat');
    expect(app.runtime.live.subscribers).toBe(before + 1);
    open.at(-1)?.abort();
    expect(app.runtime.live.subscribers).toBe(before);
  });
});
