import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '@/bin/root.mjs';
import { createDb, type Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { treeMemoryBytes } from '@/lib/process/tree-memory';
import { enqueueTasks } from '@/lib/queue/enqueue';
import { AppUnderTest, buildApp } from '../app-under-test';
import type { Bench, Run } from '../bench';
import type { Part } from '../measurement';
import { Readers } from '../readers';
import { percentile } from '../statistics';
import { agentId } from '../systems/tickmark-agents';

const READERS = [1_000, 5_000];
const CHANGES = 25;
/** Between two changes: longer than what is sent together, so that each is the first after a quiet moment. */
const QUIET_MS = 700;
const PATIENCE_MS = 20_000;
const SPEC = { system: 'tickmark', options: { batch: 1, connections: 1, limit: null } } as const;

interface FanOutRow {
  readonly row: string;
  readonly readers: number;
  readonly open: (databaseUrl: string) => Promise<Server>;
}

/** What readers read from. */
interface Server {
  readonly url: string;
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** From a commit to the browsers: how long it takes until all that look on have been told. */
export async function fanOut(bench: Bench): Promise<Part> {
  await buildApp();
  const rows = READERS.flatMap((readers): FanOutRow[] => {
    const many = `${readers.toLocaleString('en')} readers`;
    return [
      { row: `Tickmark, ${many}`, readers, open: openApp },
      { row: `bare Node, ${many}`, readers, open: openBare },
    ];
  });
  const measured = await bench.rounds('fanout', rows, (row) => measure(bench, row));
  const targets = READERS.flatMap((readers) => {
    const many = `${readers.toLocaleString('en')} readers`;
    const over = { row: `bare Node, ${many}` };
    return (['p50', 'p99'] as const).map((figure) => ({
      says: `${figure} with ${many}, beside bare Node`,
      ...{ row: `Tickmark, ${many}`, figure, over, atMost: 2 },
    }));
  });
  return {
    name: 'fanout',
    title: 'From commit to reader: one change, many open event streams',
    columns: [
      { figure: 'p50', head: 'p50 ms', show: 'spread' },
      { figure: 'p99', head: 'p99 ms', show: 'spread' },
      { figure: 'last', head: 'the last reader, ms', show: 'median' },
      { figure: 'kibibytes', head: 'memory of a reader, KiB', show: 'spread' },
    ],
    targets,
    notes: [
      `Each change is one task enqueued, ${QUIET_MS} ms after the one before; time runs from the commit's sending until the bytes are in the reader's process, which has the same cores as server and database. The bare server listens and writes, and does nothing else.`,
    ],
    ...measured,
  };
}

function measure(bench: Bench, { readers: count, open }: FanOutRow): Promise<Run> {
  return bench.withPlace(SPEC, async (_, place) => {
    const server = await open(place.databaseUrl);
    const db = createDb(place.databaseUrl, { applicationName: 'bench fan-out', max: 2 });
    const readers = new Readers();
    try {
      // What the first requests bring in for good does not belong to a reader.
      const warm = new Readers();
      await warm.open(server.url, 100, server.headers);
      await warm.afterCommit((sending) => commitChange(db, sending), PATIENCE_MS);
      warm.close();
      await delay(1_000);
      const before = await treeMemoryBytes(server.pid);
      const used = bench.accounting.begin();
      await readers.open(server.url, count, server.headers);
      await delay(2_000);
      const kibibytes = ((await treeMemoryBytes(server.pid)) - before) / count / 1024;
      const times: number[] = [];
      const last: number[] = [];
      for (let n = 0; n < CHANGES; n += 1) {
        await delay(QUIET_MS);
        const each = await readers.afterCommit((sending) => commitChange(db, sending), PATIENCE_MS);
        times.push(...each);
        last.push(Math.max(...each));
      }
      const figures = {
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
        last: percentile(last, 0.5),
        kibibytes,
      };
      return { usage: used(), figures };
    } finally {
      readers.close();
      await db.$client.end();
      await server.close();
    }
  });
}

async function commitChange(db: Db, sending: () => void): Promise<void> {
  const task = {
    ...{ agentId: agentId(0), priority: 50, input: {}, actor: 'bench' },
    estimate: { tokens: 1, seconds: 1 },
  };
  await withTransaction(db, async (tx) => {
    await enqueueTasks(tx, [task]);
    sending();
  });
}

async function openApp(databaseUrl: string): Promise<Server> {
  const secret = randomBytes(32).toString('hex');
  const app = await AppUnderTest.open(databaseUrl, secret, { TICKMARK_ADMIN_TOKEN: secret });
  return {
    url: `${app.url}/api/v1/events`,
    pid: app.pid,
    headers: { authorization: `Bearer ${secret}` },
    close: () => app.close(),
  };
}

async function openBare(databaseUrl: string): Promise<Server> {
  const child: ChildProcess = fork(path.join(root, 'dist', 'bench-bare-fan-out.mjs'), [databaseUrl], {
    stdio: ['ignore', 'ignore', 2, 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}/api/v1/events`,
    pid: child.pid ?? 0,
    headers: {},
    async close() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
