import { randomBytes } from 'node:crypto';
import { attemptKey, signDelivery } from '@/lib/contract/signature';
import { createDb, type Db } from '@/lib/db/client';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { AppUnderTest, buildApp } from '../app-under-test';
import type { Bench, Run } from '../bench';
import { now } from '../clock';
import { type Answered, type Prepared, sendAll } from '../load';
import type { Part } from '../measurement';
import { percentile } from '../statistics';
import { success } from '../systems/tickmark';
import { openTickmarkProducer } from '../systems/tickmark-agents';

const ROW = 'signed reports of success';
const TASKS = 30_000;
const CONNECTIONS = 200;
const COLD_MS = 2000;
const WARM_MS = 5000;
const SPEC = { system: 'tickmark', options: { batch: 1000, connections: 1, limit: null } } as const;

/** How many callbacks a second the real app takes over HTTP: signature, body, transaction, answer. */
export async function callbacks(bench: Bench): Promise<Part> {
  await buildApp();
  const measured = await bench.rounds('callbacks', [{ row: ROW }], () => measure(bench));
  return {
    name: 'callbacks',
    title: 'Callbacks over HTTP: the real app, signed, verified and applied',
    columns: [
      { figure: 'perSecond', head: 'callbacks/s after 2 s', show: 'spread' },
      { figure: 'coldPerSecond', head: 'in the first 2 s', show: 'spread' },
      { figure: 'p50', head: 'p50 ms', show: 'median' },
      { figure: 'p95', head: 'p95 ms', show: 'median' },
      { figure: 'postgresMicros', head: 'PostgreSQL CPU µs each', show: 'median' },
      { figure: 'nodeMicros', head: 'app and sender CPU µs each', show: 'median' },
    ],
    targets: [{ says: 'callbacks/s', row: ROW, figure: 'perSecond', atLeast: 1500 }],
    notes: [
      `${CONNECTIONS} connections, each sends its next report when the last was answered; the sender has the same cores as app and database. Cold: from the first answer of a newly started app on.`,
    ],
    ...measured,
  };
}

async function measure(bench: Bench): Promise<Run> {
  return bench.withPlace(SPEC, async (_, place) => {
    const secret = randomBytes(32).toString('hex');
    const prepared = await prepareDeliveries(place.databaseUrl, secret);
    await bench.postgres.settle(place.databaseUrl);
    const app = await AppUnderTest.open(place.databaseUrl, secret);
    try {
      const used = bench.accounting.begin();
      const at = now();
      const url = `${app.url}/api/v1/callbacks`;
      const until = at + COLD_MS + WARM_MS;
      const answers = await sendAll(url, prepared, { connections: CONNECTIONS, until });
      const usage = used();
      const refused = answers.find(({ status }) => status !== 200);
      if (refused) throw new Error(`an answer was ${refused.status}`);
      const perTask = (cpuSeconds: number) => (cpuSeconds * 1e6) / answers.length;
      const cpu = { postgresMicros: perTask(usage.postgres), nodeMicros: perTask(usage.node) };
      return { usage, figures: { ...figuresOf(answers, at), ...cpu } };
    } finally {
      await app.close();
    }
  });
}

function figuresOf(answers: readonly Answered[], at: number) {
  const cold = answers.filter((answer) => answer.at < at + COLD_MS);
  const warm = answers.filter((answer) => answer.at >= at + COLD_MS);
  const took = warm.map((answer) => answer.took);
  // Where all were sent before the time was over, they took less.
  const seconds = (Math.max(...warm.map((answer) => answer.at)) - at - COLD_MS) / 1000;
  return {
    perSecond: warm.length / seconds,
    coldPerSecond: cold.length / (COLD_MS / 1000),
    p50: percentile(took, 0.5),
    p95: percentile(took, 0.95),
  };
}

/** Attempts in flight, and for each the report of its success, signed with its own key. */
async function prepareDeliveries(databaseUrl: string, secret: string): Promise<Prepared[]> {
  const producer = await openTickmarkProducer({ databaseUrl, redisPort: null });
  const db = createDb(databaseUrl, { applicationName: 'bench callbacks', max: 1 });
  try {
    await producer.enqueueMany(TASKS);
    return (await claimAll(db)).map((task) => sign(task, secret));
  } finally {
    await producer.close();
    await db.$client.end();
  }
}

async function claimAll(db: Db): Promise<ClaimedTask[]> {
  const all: ClaimedTask[] = [];
  for (;;) {
    const tasks = await claimTasks(db, { workerId: 'bench', limit: 1000, leaseSeconds: 3600 });
    if (tasks.length === 0) return all;
    all.push(...tasks);
  }
}

function sign(task: ClaimedTask, secret: string): Prepared {
  const { attemptId, webhookId, callback } = success(task);
  const body = JSON.stringify(callback);
  const { id, timestamp, signature } = signDelivery(
    attemptKey(secret, attemptId),
    webhookId,
    new Date(),
    body,
  );
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { headers, body };
}
