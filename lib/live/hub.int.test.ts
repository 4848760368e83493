import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { GET } from '@/app/api/v1/events/route';
import { ChangeEvent } from '@/lib/contract/live';
import { rebuildFigures } from '@/lib/figures/rebuild';
import { putLanes } from '@/lib/http/lanes';
import { cancelTask } from '@/lib/queue/cancel';
import { enqueueTasks } from '@/lib/queue/enqueue';
import { retryTask } from '@/lib/queue/retry-task';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';

interface Received {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

let app: TestApp;
const open: AbortController[] = [];
/** A busy machine is no failure. */
const PATIENT = { timeout: 30_000 };

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
  return reading(response);
}

function reading(response: Response): () => Promise<Received> {
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

/** How many tasks of each status there are, row by row. */
async function inTable(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {
    enqueued: 0,
    processing: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
  };
  const { rows } = await app.db.$client.query(
    'select status, count(*)::int as count from tickmark.tasks group by status',
  );
  for (const { status, count } of rows) counts[status] = count;
  return counts;
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

/** As a load of history may be hidden behind other changes: no event, and no ping of its own. */
async function loadSilently(count: number, status: string): Promise<string[]> {
  const client = await app.db.$client.connect();
  await client.query('begin; alter table tickmark.tasks disable trigger user');
  const { rows } = await client.query<{ id: string }>(
    `insert into tickmark.tasks (agent_id, status, estimated_tokens, finished_at)
     select 'invoice', $2::tickmark.task_status, 1, now()
     from generate_series(1, $1::int) returning id`,
    [count, status],
  );
  await client.query('alter table tickmark.tasks enable trigger user; commit');
  client.release();
  return rows.map(({ id }) => id);
}

/** Reads on until the counts are those of the table; the test's own time-out is the limit. */
async function toldAsInTable(read: () => Promise<Received>): Promise<void> {
  for (;;) {
    const { counts } = ChangeEvent.parse((await next(read, 'change')).data);
    expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(0);
    const table = await inTable();
    if (Object.entries(counts).every(([status, count]) => table[status] === count)) return;
  }
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
    // Twice at most: a ping may come while it is being read.
    expect(reads.length).toBeGreaterThanOrEqual(1);
    expect(reads.length).toBeLessThanOrEqual(2);
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

  test('B12: the first change after a quiet moment goes out at once, and those behind it together', async () => {
    const read = await connect();
    await next(read, 'heartbeat');
    // More than the pause between two reads after whatever was before.
    await enqueue();
    await next(read, 'change');
    await next(read, 'heartbeat');
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const [id] = await enqueue();
    expect(ChangeEvent.parse((await next(read, 'change')).data).tasks).toMatchObject([{ id }]);
    expect(timers.mock.calls.filter(([, ms]) => (ms ?? 0) > 0 && (ms ?? 0) <= 250)).toEqual([]);
    timers.mockRestore();
  });

  test('the counts that events add up to are those of the tables, through every transition and a change by hand', async () => {
    const read = await connect();
    await next(read, 'heartbeat');
    const told = async () => ChangeEvent.parse((await next(read, 'change')).data).counts;
    const same = async () =>
      expect.poll(async () => JSON.stringify(await told()) === JSON.stringify(await inTable())).toBe(true);
    const ids = await enqueue(20);
    await same();
    for (const taskId of ids.slice(0, 5)) await cancelTask(app.db, { taskId, actor: 'test' });
    await same();
    // With its history gone no event says so.
    await app.db.$client.query('delete from tickmark.task_events where task_id = $1', [ids[19]]);
    await app.db.$client.query('delete from tickmark.tasks where id = $1', [ids[19]]);
    await same();
    await enqueue(3_000);
    await same();
  });

  test('no count falls below zero where tasks were loaded without events, and then all are counted anew', async () => {
    const read = await connect();
    await next(read, 'heartbeat');
    const { failed = 0 } = await inTable();
    for (const taskId of await loadSilently(failed + 20, 'failed')) {
      await retryTask(app.db, { taskId, actor: 'test' });
    }
    await toldAsInTable(read);
  });

  test('figures that are made anew are counted anew, also where other changes are told at that moment', async () => {
    const read = await connect();
    await next(read, 'heartbeat');
    await loadSilently(30, 'completed');
    const during = Promise.all([enqueue(3), rebuildFigures(app.db), enqueue(3)]);
    await toldAsInTable(read);
    await during;
  });

  test('a transaction that commits late is told, though higher ids were told before it', async () => {
    const read = await connect();
    await next(read, 'heartbeat');
    const slow = await app.db.$client.connect();
    await slow.query('begin');
    const { rows } = await slow.query(
      `insert into tickmark.task_events (task_id, from_status, to_status, actor, reason)
       select id, status, status, 'test', 'late' from tickmark.tasks limit 1 returning task_id`,
    );
    const [id] = await enqueue();
    expect(ChangeEvent.parse((await next(read, 'change')).data).tasks).toMatchObject([{ id }]);
    await slow.query('commit');
    slow.release();
    const [other] = await enqueue();
    const seen = ChangeEvent.parse((await next(read, 'change')).data).tasks.map((task) => task.id);
    expect(seen.toSorted()).toEqual([other, rows[0].task_id].toSorted());
  });

  test('C3: who may see some clients only is told of their tasks and counts only, and each change is written once for all alike', async () => {
    const frames = new Map<string, Uint8Array[]>();
    const join = (name: string, scope: readonly string[] | null) => {
      const received: Uint8Array[] = [];
      frames.set(name, received);
      const writer = { send: (frame: Uint8Array) => received.push(frame), end: () => {}, closed: false };
      return app.runtime.live.subscribe({ scope, writer, returning: false });
    };
    const leave = [join('all', null), join('also all', null), join('one', ['Aldgate']), join('none', [])];
    await vi.waitFor(() => expect(frames.get('all')?.length).toBeGreaterThan(0), PATIENT);
    for (const received of frames.values()) received.length = 0;
    await enqueue();
    const changes = (name: string) =>
      (frames.get(name) ?? []).filter((frame) => new TextDecoder().decode(frame).includes('event: change'));
    await vi.waitFor(() => expect(changes('none').length).toBe(1), PATIENT);
    expect(changes('all')[0]).toBe(changes('also all')[0]);
    const dataOf = (name: string) =>
      ChangeEvent.parse(JSON.parse(/data: (.*)/.exec(new TextDecoder().decode(changes(name)[0]))?.[1] ?? ''));
    expect(dataOf('all').tasks.length).toBe(1);
    for (const name of ['one', 'none']) {
      expect(dataOf(name)).toMatchObject({ tasks: [], counts: { enqueued: 0, cancelled: 0 } });
    }
    for (const each of leave) each();
  });

  test('nobody is read for when nobody looks on, and who comes then is told what holds', async () => {
    await next(await connect(), 'heartbeat');
    open.at(-1)?.abort();
    await vi.waitFor(() => expect(app.runtime.live.subscribers).toBe(0), PATIENT);
    const spy = vi.spyOn(app.db.$client, 'query');
    await enqueue();
    const reads = () => spy.mock.calls.filter((call) => JSON.stringify(call).includes('/* live.')).length;
    expect(reads()).toBe(0);
    const read = await connect();
    const [id] = await enqueue();
    for (let seen = false; !seen; ) {
      const { tasks } = ChangeEvent.parse((await next(read, 'change')).data);
      seen = tasks.some((task) => task.id === id);
    }
    spy.mockRestore();
  });
});

describe('the lane past the framework', () => {
  async function lane() {
    const server = createServer((_, response) => response.writeHead(418).end());
    putLanes(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/events`;
    return { url, close: () => server.close() };
  }

  test('M22: serves the same stream, and forgets who goes away', async () => {
    const { url, close } = await lane();
    const controller = new AbortController();
    const headers = await bearer('auditor');
    const read = reading(await fetch(url, { headers, signal: controller.signal }));
    await next(read, 'heartbeat');
    const [id] = await enqueue();
    expect(ChangeEvent.parse((await next(read, 'change')).data).tasks).toMatchObject([{ id }]);
    const again = reading(
      await fetch(url, { headers: { ...headers, 'last-event-id': '1' }, signal: controller.signal }),
    );
    expect((await again()).event).toBe('resync');
    controller.abort();
    await vi.waitFor(() => expect(app.runtime.live.subscribers).toBe(0), PATIENT);
    close();
  });

  test('lets in whom the route lets in', async () => {
    const { url, close } = await lane();
    const problem = async (headers: Record<string, string>) => {
      const response = await fetch(url, { headers });
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      return response.status;
    };
    expect(await problem({})).toBe(401);
    expect(await problem({ authorization: 'Bearer nonsense' })).toBe(401);
    expect(await problem({ cookie: 'next-auth.session-token=nonsense' })).toBe(401);
    close();
  });

  test('other methods go the usual way', async () => {
    const { url, close } = await lane();
    expect((await fetch(url, { method: 'POST' })).status).toBe(418);
    close();
  });
});
