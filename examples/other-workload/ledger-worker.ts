import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Callback } from '@/lib/contract/callback';
import type { Db } from '@/lib/db/client';
import { applyCallback, type CallbackHooks } from '@/lib/queue/callback';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { idempotencyToken, recordDispatch } from '@/lib/queue/dispatch';
import { extendLeases } from '@/lib/queue/lease';
import { readSettings } from '@/lib/queue/settings';
import { snoozeAttempt } from '@/lib/queue/snooze';
import { sweepOnce } from '@/lib/queue/sweep';
import { beat, leave } from '@/lib/queue/worker-heartbeat';
import { checkLedger, LedgerError } from './check-ledger';
import { InProcessRunner } from './in-process-runner';
import { AGENT_ID } from './register-agent';

const LEASE_SECONDS = 10;
const POLL_MS = 100;
/** A process that has been silent for so long is gone, and its runs with it. */
const SILENT_SECONDS = 10;

/** No model is used here, so nothing has a price. */
const hooks: CallbackHooks = { priceUsages: async (_db, usages) => usages.map(() => null) };

export interface LedgerWorkerOptions {
  readonly db: Db;
  /** Runs at once in this worker; the agent's limit is for all workers together. */
  readonly slots: number;
  /** Told of what goes wrong; the worker goes on. */
  readonly onError: (error: unknown) => void;
}

/** A worker of this workload: claim → dispatch → result, and a look at what others left behind. */
export class LedgerWorker {
  readonly id = `ledger-${os.hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  private readonly claimed = new Map<string, ClaimedTask>();
  private readonly stopping = new AbortController();
  private readonly runner: InProcessRunner;
  private readonly over: Promise<void>;
  private environmentId = '';

  constructor(private readonly options: LedgerWorkerOptions) {
    this.runner = new InProcessRunner({
      workerId: this.id,
      slots: options.slots,
      work: (attemptId, signal) => this.work(attemptId, signal),
      listAlive: (workerIds) => this.listAlive(workerIds),
    });
    this.over = this.loop();
  }

  /** Claims nothing more, lets what runs finish, and leaves. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.over;
    await this.runner.settled();
    await leave(this.options.db, this.id);
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const found = await this.turn().catch((error) => {
        this.options.onError(error);
        return 0;
      });
      if (found === 0) await delay(POLL_MS);
    }
  }

  private async turn(): Promise<number> {
    const { db } = this.options;
    this.environmentId ||= (await readSettings(db)).environmentId;
    await beat(db, { id: this.id, host: os.hostname(), pid: process.pid, version: 'example' });
    const alive = await this.runner.listAlive();
    const attemptIds = alive.flatMap(({ attemptId }) => attemptId ?? []);
    await extendLeases(db, { attemptIds, leaseSeconds: LEASE_SECONDS });
    await sweepOnce(db, {
      runner: this.runner,
      workerId: this.id,
      leaseSeconds: LEASE_SECONDS,
      hooks,
      readOutbox: async () => null,
      redispatch: (task) => this.dispatch(task),
      onError: this.options.onError,
    });
    const tasks = await claimTasks(db, {
      workerId: this.id,
      limit: await this.runner.freeSlots(),
      leaseSeconds: LEASE_SECONDS,
      agentIds: [AGENT_ID],
    });
    for (const task of tasks) await this.dispatch(task);
    return tasks.length;
  }

  private async dispatch(task: ClaimedTask): Promise<void> {
    const { db } = this.options;
    const { attemptId, maxRunSeconds } = task;
    this.claimed.set(attemptId, task);
    const outcome = await this.runner.submit({
      attemptId,
      idempotencyToken: idempotencyToken(this.environmentId, attemptId),
      inputPath: '',
      maxRunSeconds,
    });
    if (outcome.kind === 'submitted') {
      const recorded = await recordDispatch(db, { attemptId, runId: outcome.runId, workerId: this.id });
      if (recorded === 'stale') await this.runner.cancel(outcome.runId);
    } else {
      await snoozeAttempt(db, {
        attemptId,
        delaySeconds: 1,
        reason: 'runner full',
        workerId: this.id,
      });
    }
  }

  /** One run. What it finds goes through the same door as a signed callback; a lost report is found by the sweep. */
  private async work(attemptId: string, signal: AbortSignal): Promise<void> {
    const task = this.claimed.get(attemptId);
    if (!task) return;
    try {
      const callback = await report(task, signal);
      if (callback) {
        await applyCallback(this.options.db, { attemptId, webhookId: `final:${attemptId}`, callback }, hooks);
      }
    } catch (error) {
      this.options.onError(error);
    } finally {
      this.claimed.delete(attemptId);
    }
  }

  private async listAlive(workerIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.options.db.execute<{ id: string }>(sql`
      /* example.alive_workers */
      select id from tickmark.workers
      where id in (select jsonb_array_elements_text(${JSON.stringify(workerIds)}::jsonb))
        and heartbeat_at > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS})`);
    return new Set(rows.map(({ id }) => id));
  }
}

/** What is reported about an attempt; null when it was stopped: then the queue finds its run gone. */
async function report(task: ClaimedTask, signal: AbortSignal): Promise<Callback | null> {
  const head = {
    taskId: task.taskId,
    attemptId: task.attemptId,
    runId: null,
    traceId: task.traceId,
    usage: null,
  };
  try {
    const result = await checkLedger(task.input, task.number, signal);
    return { ...head, type: 'attempt.succeeded', result };
  } catch (error) {
    if (signal.aborted) return null;
    const known = error instanceof LedgerError ? error : new LedgerError('internal', String(error), true);
    const { code, message, retryable } = known;
    return { ...head, type: 'attempt.failed', error: { code, message, retryable, retryAfterSeconds: null } };
  }
}
