import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { createDb, type Db } from '@/lib/db/client';
import { enqueueTasks } from '@/lib/queue/enqueue';
import { writeCeilings } from '@/lib/queue/settings';
import { checkAdmissions, readAdmissions } from '../admissions';
import type { Bench, Run } from '../bench';
import { type CountedAttempt, type Limits, limitUse } from '../limit-use';
import type { Part } from '../measurement';
import { withQueue } from '../queue-under-test';
import { agentId } from '../systems/tickmark-agents';

const REPLICAS = 8;
/** Until the first tasks have ended and the claims are spread. */
const RAMP_SECONDS = 5;
/** A task takes so long, at random. */
const TASK_MS = { from: 2000, to: 6000 };
const TOKENS = 100;
const WAITING = 8000;

interface LimitRow {
  readonly row: string;
  readonly agents: number;
  readonly of: 'agent' | 'ceilings';
  readonly limits: Limits;
}

const TASKS = 200;
const RATE = 150_000;

const rowsOf = (agents: number, of: LimitRow['of'], whose: string): LimitRow[] => [
  { row: `${whose}: ${TASKS} tasks`, agents, of, limits: { tasks: TASKS, tokensPerMinute: null } },
  {
    row: `${whose}: ${RATE.toLocaleString('en')} tokens/min`,
    ...{ agents, of, limits: { tasks: null, tokensPerMinute: RATE } },
  },
  { row: `${whose}: both`, agents, of, limits: { tasks: TASKS / 2, tokensPerMinute: RATE } },
];

const ROWS: readonly LimitRow[] = [
  ...rowsOf(1, 'agent', 'one agent'),
  ...rowsOf(5, 'ceilings', 'ceilings over five agents'),
];

/** Eight worker processes claim at once under a limit: is it ever exceeded, and is it used? */
export async function limits(bench: Bench): Promise<Part> {
  const measured = await bench.rounds('limits', ROWS, (row) => measure(bench, row), {
    rounds: 1,
    // Exact or not does not depend on who else is there.
    again: false,
  });
  const each = (says: string, figure: string, limit: { atLeast?: number; atMost?: number }) =>
    ROWS.map(({ row }) => ({ says: `${says}, ${row}`, row, figure, ...limit }));
  return {
    name: 'limits',
    title: `Exact limits: ${REPLICAS} processes claim at once for ${bench.options.limitSeconds} s`,
    columns: [
      { figure: 'admitted', head: 'admitted', show: 'median' },
      { figure: 'over', head: 'admissions over a limit', show: 'median' },
      { figure: 'peakTasks', head: 'most tasks', show: 'median' },
      { figure: 'peakRate', head: 'most tokens/min', show: 'median' },
      { figure: 'rebuiltTasks', head: 'most tasks, rebuilt', show: 'median' },
      { figure: 'rebuiltRate', head: 'most tokens/min, rebuilt', show: 'median' },
      { figure: 'use', head: 'average use, share', show: 'median' },
    ],
    targets: [
      ...each('admissions over a limit', 'over', { atMost: 0 }),
      ...each('average use of the limit', 'use', { atLeast: 0.95 }),
    ],
    notes: [
      `Tasks take ${TASK_MS.from / 1000} to ${TASK_MS.to / 1000} s and ${TOKENS} tokens, so each is at most 1 % of a limit; ${WAITING.toLocaleString('en')} wait at the start. Under a token budget the minute before the run is already full of finished tasks, so that room comes free bit by bit.`,
      'A trigger of the bench’s own, deferred to the commit of each claim and so still under its lock, counts what is in flight and what it costs per minute (“most”) and compares. “Rebuilt” is the same from the attempts’ own times after the run, taken at `claimed_at`: that is the moment after the lock and before the count, so what ends between the two, which the claim rightly counts as free, still counts there. It is an upper bound.',
    ],
    ...measured,
  };
}

async function measure(bench: Bench, { agents, of, limits: limit }: LimitRow): Promise<Run> {
  const own = of === 'agent' ? limit : { tasks: null, tokensPerMinute: null };
  const spec = {
    ...{ system: 'tickmark-worker' as const },
    options: { slots: TASKS, agents, limit: own.tasks, tokensPerMinute: own.tokensPerMinute },
  };
  return withQueue(
    bench,
    spec,
    async (queue) => {
      const db = createDb(queue.place.databaseUrl, { applicationName: 'bench limits', max: 2 });
      try {
        if (limit.tokensPerMinute) await fillLastMinute(db, agents, limit.tokensPerMinute);
        if (of === 'ceilings') {
          await writeCeilings(db, { maxConcurrentTasks: limit.tasks, maxTpm: limit.tokensPerMinute });
        }
        await enqueueWaiting(db, agents);
        await checkAdmissions(db, limit);
        for (let n = 0; n < REPLICAS; n += 1) await queue.openWorker(spec);
        const used = bench.accounting.begin();
        const from = await clock(db);
        for (const worker of queue.workers) worker.start();
        await delay(bench.options.limitSeconds * 1000);
        queue.check();
        const to = await clock(db);
        const usage = used();
        const span = { from: from + RAMP_SECONDS * 1000, to };
        const rebuilt = limitUse(await readAttempts(db), limit, span);
        const figures = {
          ...(await readAdmissions(db)),
          rebuiltTasks: rebuilt.peakTasks,
          rebuiltRate: rebuilt.peakRate,
          use: rebuilt.averageShare,
        };
        return { usage, figures };
      } finally {
        await db.$client.end();
      }
    },
    'kill',
  );
}

async function enqueueWaiting(db: Db, agents: number): Promise<void> {
  const length = () => Math.round(TASK_MS.from + Math.random() * (TASK_MS.to - TASK_MS.from));
  const seconds = (TASK_MS.from + TASK_MS.to) / 2000;
  for (let from = 0; from < WAITING; from += 1000) {
    const tasks = Array.from({ length: 1000 }, (_, n) => ({
      ...{
        agentId: agentId(n % agents),
        priority: 50,
        actor: 'bench',
        estimate: { tokens: TOKENS, seconds },
      },
      input: { kind: 'wait', n: from + n, milliseconds: length(), tokens: TOKENS },
    }));
    await enqueueTasks(db, tasks);
  }
}

/** As if the budget had been in full use for a minute: what was used runs out bit by bit, and as much is free again. */
async function fillLastMinute(db: Db, agents: number, tokensPerMinute: number): Promise<void> {
  await db.execute(sql`
    with made as (
      insert into tickmark.tasks
        (agent_id, status, estimated_tokens, estimated_seconds, attempt_count, last_attempt_number, finished_at)
      select 'bench-' || n % ${agents}::integer, 'completed', ${TOKENS}, 4, 1, 1,
        clock_timestamp() - n * interval '60 seconds' / ${tokensPerMinute / TOKENS}::integer
      from generate_series(0, ${tokensPerMinute / TOKENS}::integer - 1) n
      returning id, agent_id, finished_at
    )
    insert into tickmark.task_attempts (task_id, agent_id, number, status, claimed_by, reserved_tokens, reserved_tpm,
      claimed_at, dispatched_at, finished_at, run_stopped_at, input_tokens, output_tokens)
    select id, agent_id, 1, 'succeeded', 'bench', ${TOKENS}, ${TOKENS}, finished_at - interval '4 seconds',
      finished_at - interval '4 seconds', finished_at, finished_at, ${TOKENS}, 0
    from made`);
}

async function clock(db: Db): Promise<number> {
  const { rows } = await db.execute<{ at: number }>(sql`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`);
  return rows[0]?.at ?? Number.NaN;
}

async function readAttempts(db: Db): Promise<CountedAttempt[]> {
  const { rows } = await db.execute<{ [column: string]: number | null }>(sql`
    select (extract(epoch from claimed_at) * 1000)::float8 as claimed,
      (extract(epoch from coalesce(dispatched_at, claimed_at)) * 1000)::float8 as started,
      (extract(epoch from greatest(finished_at, run_stopped_at)) * 1000)::float8 as ended,
      reserved_tpm as reserved, coalesce(input_tokens + output_tokens, 0)::float8 as used
    from tickmark.task_attempts`);
  return rows.map(({ claimed, started, ended, reserved, used }) => ({
    claimedAt: claimed ?? 0,
    startedAt: started ?? 0,
    endedAt: ended ?? null,
    reservedRate: reserved ?? 0,
    usedTokens: used ?? 0,
  }));
}
