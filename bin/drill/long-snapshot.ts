import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { applyCallbacks } from '@/lib/queue/callback';
import { claimTasks } from '@/lib/queue/claim';
import { advanceClaimCursors } from '@/lib/queue/claim-cursors';
import { enqueueTasks } from '@/lib/queue/enqueue';
import { priceUsages } from '@/lib/usage/price';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import type { World } from './world';

const BATCH = 100;
/** Tasks per second that come and go. */
const RATE = 500;
const BASELINE_SECONDS = 15;
const MAX_RATIO = 3;

export const longSnapshot: Drill = {
  name: 'long-snapshot',
  promise:
    'A snapshot held open for minutes, so that nothing can be vacuumed, makes claiming three times as slow at most.',
  async run(arena, { snapshot }) {
    const findings = new Findings();
    const world = await arena.world();
    await world.query('update tickmark.settings set max_concurrent_tasks = 1000 where id = 1');
    await world.query('update tickmark.agents set max_concurrent_tasks = 1000');
    // As a worker does, beside its claims.
    const ended = new AbortController();
    const tending = tend(world, ended.signal);
    await churn(world, 3);
    const before = await churn(world, Math.min(BASELINE_SECONDS, snapshot));
    const holder = new pg.Client({ connectionString: world.databaseUrl });
    await holder.connect();
    let last: Churn;
    let tasks = before.tasks;
    try {
      await holder.query('begin isolation level repeatable read; select count(*) from tickmark.tasks');
      const middle = await churn(world, Math.max(0, snapshot - BASELINE_SECONDS));
      last = await churn(world, Math.min(BASELINE_SECONDS, snapshot));
      tasks = middle.tasks + last.tasks;
    } finally {
      ended.abort();
      await tending;
      await holder.end();
    }
    const ratio = last.claimMs / before.claimMs;
    findings.note(`held for ${snapshot} s at ${Math.round(tasks / snapshot)} tasks/s`);
    findings.note(
      `a claim of ${BATCH}: median ${before.claimMs.toFixed(1)} ms before, ${last.claimMs.toFixed(1)} ms at the end, ${ratio.toFixed(2)} × (≤ ${MAX_RATIO} ×)`,
    );
    findings.expect(ratio <= MAX_RATIO, `claiming became ${ratio.toFixed(1)} times as slow`);
    await checkInvariants(world, findings, { limit: BATCH });
    return findings.done();
  },
};

async function tend(world: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await advanceClaimCursors(world.db);
    await delay(2_000, undefined, { signal }).catch(() => {});
  }
}

interface Churn {
  /** Median of the claims. */
  readonly claimMs: number;
  readonly tasks: number;
}

/** Tasks come, are claimed and completed, at the rate or as fast as it goes. */
async function churn(world: World, seconds: number): Promise<Churn> {
  const claims: number[] = [];
  const begun = performance.now();
  const due = (n: number) => begun + (n * BATCH * 1000) / RATE;
  let batches = 0;
  while (performance.now() - begun < seconds * 1000) {
    await enqueueTasks(world.db, Array(BATCH).fill(TASK));
    const since = performance.now();
    const claimed = await claimTasks(world.db, { workerId: 'drill', limit: BATCH, leaseSeconds: 60 });
    claims.push(performance.now() - since);
    await applyCallbacks(world.db, claimed.map(successOf), { priceUsages });
    batches += 1;
    await delay(Math.max(0, due(batches) - performance.now()));
  }
  claims.sort((a, b) => a - b);
  return { claimMs: claims[Math.floor(claims.length / 2)] ?? 0, tasks: batches * BATCH };
}

const TASK = {
  agentId: 'invoice',
  priority: 50,
  estimate: { tokens: 100, seconds: 1 },
  actor: 'drill',
  input: {},
};

function successOf({ taskId, attemptId, traceId }: { taskId: string; attemptId: string; traceId: string }) {
  const callback = {
    type: 'attempt.succeeded' as const,
    taskId,
    attemptId,
    traceId,
    runId: null,
    usage: null,
    result: { documentType: 'invoice', confidence: 0.9, fields: [], warnings: [] },
  };
  return { attemptId, webhookId: randomUUID(), callback };
}
