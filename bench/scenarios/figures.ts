import { randomBytes } from 'node:crypto';
import { generateHistory } from '@/bin/generate/history';
import { createDb } from '@/lib/db/client';
import { seed } from '@/lib/db/seed';
import { rebuildFigures } from '@/lib/figures/rebuild';
import { AppUnderTest, buildApp } from '../app-under-test';
import type { Bench } from '../bench';
import { Transitions } from '../figures/transitions';
import { ask, askPages, listQuestions, metricsQuestions, type Seen, watch } from '../figures/viewers';
import type { Figures, Measurement, Part } from '../measurement';
import { percentile } from '../statistics';

const WAITING = 100_000;
const MONTHS = 18;
const TRANSITIONS = 500;
const VIEWERS = 50;
/** How often each question is asked by itself, under the load. */
const ASKS = 20;
const PAGES = 40;
const WATCH_SECONDS = 60;
const CLAIM_SECONDS = 15;
const CLAIM_ROUNDS = 3;
const NOBODY = 'claims, nobody looking';
const WATCHED = `claims, ${VIEWERS} viewers`;
const SPEC = { system: 'tickmark', options: { batch: 1, connections: 1 } } as const;

/** How fast the dashboard answers over millions of finished tasks while the queue is busy, and what it takes from the queue. */
export async function figures(bench: Bench): Promise<Part> {
  await buildApp();
  const measurements = await bench.withPlace(SPEC, async (_, { databaseUrl }) => {
    await fill(databaseUrl, bench);
    await bench.postgres.settle(databaseUrl);
    return measureFigures(databaseUrl, bench);
  });
  const fast = (row: string) => ({ says: `${row}: p95 ms`, row, figure: 'p95', atMost: 100 });
  return {
    name: 'figures',
    title: `The dashboard over ${bench.options.history.toLocaleString('en')} finished tasks`,
    columns: [
      { figure: 'p50', head: 'p50 ms', show: 'median' },
      { figure: 'p95', head: 'p95 ms', show: 'median' },
      { figure: 'p99', head: 'p99 ms', show: 'median' },
      { figure: 'watchedP50', head: `${VIEWERS} viewers: p50 ms`, show: 'median' },
      { figure: 'watchedP95', head: 'p95 ms', show: 'median' },
      { figure: 'watchedP99', head: 'p99 ms', show: 'median' },
      { figure: 'answers', head: 'answers/s', show: 'median' },
      { figure: 'perSecond', head: 'tasks/s', show: 'spread' },
    ],
    targets: [
      ...['7 days', '30 days', 'all time'].flatMap((range) => [
        fast(`metrics, ${range}`),
        fast(`metrics, ${range}, filtered`),
      ]),
      fast('task list'),
      fast('task list, later pages'),
      {
        says: 'claims beside nobody looking',
        row: WATCHED,
        figure: 'perSecond',
        over: { row: NOBODY },
        atLeast: 0.9,
      },
    ],
    notes: [
      `${WAITING.toLocaleString('en')} tasks wait besides, ${TRANSITIONS} transitions a second go on throughout, and a worker keeps the figures. Each question over HTTP to the real app, ${ASKS} times by itself, then by ${VIEWERS} viewers, each with an open event stream, who ask for ${WATCH_SECONDS} s as a page does while things change: once a second, or as seldom as the server wants (one to five seconds). Claims: two lanes claim and complete 50 tasks at a time and enqueue as many, ${CLAIM_SECONDS} s with and without viewers in turns. App, database, load and viewers share the machine.`,
    ],
    measurements,
    leftOut: [],
  };
}

async function fill(databaseUrl: string, bench: Bench): Promise<void> {
  const db = createDb(databaseUrl, { applicationName: 'bench history', statementTimeoutMs: 0 });
  try {
    await seed(db);
    await generateHistory(db, { tasks: bench.options.history, months: MONTHS, waiting: WAITING });
    bench.tell('figures  history is written');
    await rebuildFigures(db, { isExclusive: true, onStep: (step) => bench.tell(`figures  ${step}`) });
  } finally {
    await db.$client.end();
  }
}

/** Measures on a database that is filled already. */
export async function measureFigures(
  databaseUrl: string,
  bench: Pick<Bench, 'accounting' | 'tell'>,
): Promise<Measurement[]> {
  const token = randomBytes(32).toString('hex');
  const app = await AppUnderTest.open(databaseUrl, randomBytes(32).toString('hex'), {
    TICKMARK_ADMIN_TOKEN: token,
  });
  const transitions = new Transitions(databaseUrl);
  const used = bench.accounting.begin();
  try {
    const alone = await transitions.during(TRANSITIONS, () => askEach(app.url, token));
    const watched = await transitions.during(TRANSITIONS, () =>
      watch(app.url, token, VIEWERS, WATCH_SECONDS),
    );
    const claims: { row: string; round: number; perSecond: number; answers?: number }[] = [];
    for (let round = 1; round <= CLAIM_ROUNDS; round += 1) {
      claims.push({ row: NOBODY, round, perSecond: await transitions.flatOut(CLAIM_SECONDS) });
      const [perSecond, seen] = await Promise.all([
        transitions.flatOut(CLAIM_SECONDS),
        watch(app.url, token, VIEWERS, CLAIM_SECONDS),
      ]);
      claims.push({ row: WATCHED, round, perSecond, answers: seen.length / CLAIM_SECONDS });
    }
    const { others } = used();
    const rows = [...latencyRows(alone, watched)].map(([row, found]) => ({
      row,
      round: 1,
      figures: found,
      others,
    }));
    const all = [
      ...rows,
      ...claims.map(({ row, round, ...found }) => ({ row, round, figures: found, others })),
    ];
    for (const { row, figures: found } of all) bench.tell(`figures  ${row}  ${JSON.stringify(found)}`);
    return all;
  } finally {
    await transitions.close();
    await app.close();
  }
}

async function askEach(origin: string, token: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  const questions = [...metricsQuestions(), ...listQuestions()];
  // Once without counting: the app has only just started.
  for (const question of questions) await ask(origin, token, question);
  for (let n = 0; n < ASKS; n += 1) {
    for (const question of questions) seen.push(await ask(origin, token, question));
  }
  for (const sort of ['-created', '-cost', 'latency']) {
    seen.push(...(await askPages(origin, token, `/api/v1/tasks?limit=100&sort=${sort}`, PAGES)));
  }
  return seen;
}

function latencyRows(alone: readonly Seen[], watched: readonly Seen[]): Map<string, Figures> {
  const of = (all: readonly Seen[], kind: string) =>
    all.filter((one) => one.kind === kind).map(({ took }) => took);
  return new Map(
    [...new Set(alone.map(({ kind }) => kind))].map((kind) => [
      kind,
      {
        p50: percentile(of(alone, kind), 0.5),
        p95: percentile(of(alone, kind), 0.95),
        p99: percentile(of(alone, kind), 0.99),
        watchedP50: percentile(of(watched, kind), 0.5),
        watchedP95: percentile(of(watched, kind), 0.95),
        watchedP99: percentile(of(watched, kind), 0.99),
      },
    ]),
  );
}
