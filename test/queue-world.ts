import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { AttemptStatus, TaskStatus } from '@/lib/contract/api';
import { Callback, type CallbackAnswer } from '@/lib/contract/callback';
import { createDb, type Db } from '@/lib/db/client';
import { seed } from '@/lib/db/seed';
import type { JobRunner, RunStatus } from '@/lib/platform/job-runner/port';
import { applyCallback, applyCallbacks, type CallbackHooks, type Delivery } from '@/lib/queue/callback';
import { type ClaimedTask, type ClaimOptions, claimTasks } from '@/lib/queue/claim';
import { advanceClaimCursors } from '@/lib/queue/claim-cursors';
import { recordDispatch } from '@/lib/queue/dispatch';
import { enqueueTasks, type NewTask } from '@/lib/queue/enqueue';
import { type SweepOptions, sweepOnce } from '@/lib/queue/sweep';
import { priceUsages } from '@/lib/usage/price';
import { createTestDatabase } from './database';

export interface TaskRow {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly status: TaskStatus;
  readonly attempt_count: number;
  readonly lost_count: number;
  readonly max_attempts: number;
  readonly priority: number;
  readonly current_attempt_id: string | null;
  readonly locked_by: string | null;
  readonly lease_expires_at: string | null;
  readonly parked: string | null;
  readonly blocked_since: string | null;
  readonly error_code: string | null;
  readonly result: unknown;
  readonly confidence: number | null;
  readonly finished_at: string | null;
  readonly wait_seconds: number;
  readonly lease_seconds: number | null;
}

export interface AttemptRow {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly number: number;
  readonly status: AttemptStatus;
  readonly run_id: string | null;
  readonly finished_at: string | null;
  readonly run_stopped_at: string | null;
  readonly llm_cost_usd: string | null;
  readonly input_tokens: string | null;
  readonly error_code: string | null;
  readonly result: unknown;
}

/** A queue of its own on a real database, with words for what tests do to it. */
export class QueueWorld {
  private constructor(
    readonly url: string,
    readonly db: Db,
    private readonly dispose: () => Promise<void>,
  ) {}

  static async create(): Promise<QueueWorld> {
    const database = await createTestDatabase();
    const db = createDb(database.url, { applicationName: 'queue test', max: 60 });
    await seed(db);
    return new QueueWorld(database.url, db, async () => {
      await db.$client.end();
      await database.close();
    });
  }

  async close(): Promise<void> {
    await this.dispose();
  }

  /** Empties the queue and takes all limits away. */
  async reset(): Promise<void> {
    this.companion = undefined;
    this.inCompany = false;
    await this.db.execute(sql`
      truncate tickmark.tasks, tickmark.task_attempts, tickmark.task_events, tickmark.callback_deliveries, tickmark.workers, tickmark.fair_flows,
        tickmark.agent_estimates cascade`);
    await this.db.execute(sql`delete from tickmark.claim_cursors where class > -101`);
    await this.db.execute(sql`
      update tickmark.settings set max_concurrent_tasks = null, max_tpm = null, strays_checked_at = '-infinity'`);
    await this.db.execute(sql`
      update tickmark.agents set max_concurrent_tasks = null, max_tpm = null, paused = false, oversize = 'run_alone',
        cooling_until = null, max_attempts = 3, lease_seconds = null, max_run_seconds = 1800, fair = false,
        ageing_seconds = null, draining_since = null, drained_at = null, lowered_concurrent_tasks = null, lowered_tpm = null,
        lowered_from_tasks = null, lowered_at = null, lowered_reason = null, adapted_at = null,
        retry_base_seconds = 2, retry_factor = 2, retry_cap_seconds = 300, estimate_version = null,
        estimate_token_error = null, estimate_seconds_error = null, in_flight_since = '1970-01-01Z', order_changed_at = null`);
  }

  /** `count` waiting tasks of agent `invoice`, 100 tokens each, all claimable. */
  async enqueue(count = 1, task: Partial<NewTask> = {}): Promise<string[]> {
    const one: NewTask = {
      agentId: 'invoice',
      priority: 50,
      estimate: { tokens: 100, seconds: 10 },
      actor: 'user:test',
      ...task,
    };
    return (await enqueueTasks(this.db, Array(count).fill(one))).map(({ id }) => id);
  }

  /** A document of an extraction of its own: a task on it waits to be inspected when it has no estimate. */
  async document(): Promise<string> {
    const { rows } = await this.db.execute<{ id: string }>(sql`
      insert into tickmark.documents (sha256, filename, size_bytes, storage_uri)
      values (repeat('a', 64), 'a.pdf', 1, 'test:a') returning id`);
    if (!rows[0]) throw new Error('no document');
    return rows[0].id;
  }

  /** Before each claim the cursors move, however little there is to pass. */
  cursorsMove = false;

  async claim(limit = 1, options: Partial<ClaimOptions> = {}): Promise<ClaimedTask[]> {
    if (this.cursorsMove) await advanceClaimCursors(this.db, 0);
    return claimTasks(this.db, { workerId: 'w1', leaseSeconds: 15, ...options, limit });
  }

  /** One task, claimed. */
  async claimed(task: Partial<NewTask> = {}): Promise<ClaimedTask> {
    await this.enqueue(1, task);
    const [claimed] = await this.claim(1);
    if (!claimed) throw new Error('nothing was claimed');
    return claimed;
  }

  /** One task, claimed, its run `run-<attempt>` recorded. */
  async running(task: Partial<NewTask> = {}): Promise<ClaimedTask> {
    const claimed = await this.claimed(task);
    await this.dispatch(claimed);
    return claimed;
  }

  dispatch(claimed: ClaimedTask): Promise<'running' | 'stale'> {
    return recordDispatch(this.db, {
      attemptId: claimed.attemptId,
      runId: `run-${claimed.attemptId}`,
      workerId: 'w1',
    });
  }

  /** A delivery as it is after its signature was checked; `body` over a legal one of its type. */
  delivery(
    about: { taskId: string; attemptId: string },
    body: Record<string, unknown>,
    webhookId?: string,
  ): Delivery {
    const callback = Callback.parse({
      taskId: about.taskId,
      attemptId: about.attemptId,
      ...(body.type === 'attempt.succeeded' ? { result: { confidence: 0.9, documentType: 'invoice' } } : {}),
      ...(body.type === 'attempt.failed'
        ? { error: { code: 'internal', message: 'broke', retryable: true } }
        : {}),
      ...body,
    });
    return { attemptId: about.attemptId, webhookId: webhookId ?? `msg_${randomUUID()}`, callback };
  }

  /** Deliveries share their transaction with one of another task, as those do that arrive together. */
  inCompany = false;
  private companion: Promise<ClaimedTask> | undefined;

  async deliver(delivery: Delivery, hooks: Partial<CallbackHooks> = {}): Promise<CallbackAnswer> {
    const all = { priceUsages, ...hooks };
    if (!this.inCompany) return applyCallback(this.db, delivery, all);
    this.companion ??= this.runCompanion();
    const other = this.delivery(await this.companion, {
      type: 'attempt.progress',
      usage: { inputTokens: 1 },
    });
    const [beside, applied] = await applyCallbacks(this.db, [other, delivery], all);
    if (beside instanceof Error || beside?.outcome !== 'applied')
      throw new Error('the companion was not heard');
    if (applied instanceof Error || !applied) throw applied ?? new Error('no answer');
    return applied;
  }

  private async runCompanion(): Promise<ClaimedTask> {
    const agentId = 'financial-report';
    await this.enqueue(1, { agentId });
    const [claimed] = await this.claim(1, { agentIds: [agentId] });
    if (!claimed) throw new Error('no companion');
    return claimed;
  }

  succeed(
    about: { taskId: string; attemptId: string },
    body: Record<string, unknown> = {},
    webhookId?: string,
  ) {
    return this.deliver(this.delivery(about, { type: 'attempt.succeeded', ...body }, webhookId));
  }

  fail(
    about: { taskId: string; attemptId: string },
    error: Record<string, unknown> = {},
    webhookId?: string,
  ) {
    const body = { code: 'internal', message: 'broke', retryable: true, ...error };
    return this.deliver(this.delivery(about, { type: 'attempt.failed', error: body }, webhookId));
  }

  progress(
    about: { taskId: string; attemptId: string },
    body: Record<string, unknown> = {},
    webhookId?: string,
  ) {
    return this.deliver(this.delivery(about, { type: 'attempt.progress', ...body }, webhookId));
  }

  sweep(runner: FakeRunner, options: Partial<SweepOptions> = {}) {
    return sweepOnce(this.db, {
      runner,
      workerId: 'sweeper',
      readOutbox: async () => null,
      redispatch: async () => {},
      hooks: { priceUsages },
      leaseSeconds: 15,
      onError: (error) => {
        throw error;
      },
      ...options,
    });
  }

  /** Lets the leases of all tasks in `processing` run out. */
  async expireLeases(): Promise<void> {
    await this.db.execute(sql`
      update tickmark.tasks set lease_expires_at = clock_timestamp() - interval '1 second' where status = 'processing'`);
  }

  /** Makes every waiting task due now. */
  async makeDue(): Promise<void> {
    await this.db.execute(
      sql`update tickmark.tasks set available_at = clock_timestamp() where status = 'enqueued'`,
    );
  }

  async task(id: string): Promise<TaskRow> {
    const { rows } = await this.db.execute<TaskRow>(sql`
      select *, extract(epoch from available_at - clock_timestamp())::float8 as wait_seconds,
        extract(epoch from lease_expires_at - clock_timestamp())::float8 as lease_seconds
      from tickmark.tasks where id = ${id}::uuid`);
    const row = rows[0];
    if (!row) throw new Error(`no task ${id}`);
    return row;
  }

  async attempts(taskId: string): Promise<AttemptRow[]> {
    const { rows } = await this.db.execute<AttemptRow>(
      sql`select * from tickmark.task_attempts where task_id = ${taskId}::uuid order by number`,
    );
    return rows;
  }

  async attempt(id: string): Promise<AttemptRow> {
    const { rows } = await this.db.execute<AttemptRow>(
      sql`select * from tickmark.task_attempts where id = ${id}::uuid`,
    );
    const row = rows[0];
    if (!row) throw new Error(`no attempt ${id}`);
    return row;
  }

  /** The task's story: `from>to` and who did it. */
  async story(taskId: string): Promise<string[]> {
    const { rows } = await this.db.execute<{ line: string }>(sql`
      select coalesce(from_status::text, '') || '>' || coalesce(to_status::text, '') || ' ' || split_part(actor, ':', 1) as line
      from tickmark.task_events where task_id = ${taskId}::uuid order by id`);
    return rows.map((row) => row.line);
  }

  async inFlight(): Promise<number> {
    const { rows } = await this.db.execute<{ n: number }>(
      sql`select count(*)::int as n from tickmark.tasks where status = 'processing'`,
    );
    return rows[0]?.n ?? 0;
  }
}

/** Runs as a test wants them to be; what it is asked to stop, it remembers. */
export class FakeRunner implements JobRunner {
  readonly states = new Map<string, RunStatus>();
  readonly cancelled: string[] = [];
  constructor(private readonly otherwise: RunStatus = { state: 'alive' }) {}

  async submit() {
    return { kind: 'submitted', runId: 'run' } as const;
  }
  async status(runIds: readonly string[]) {
    return new Map(runIds.map((id) => [id, this.states.get(id) ?? this.otherwise]));
  }
  async cancel(runId: string) {
    this.cancelled.push(runId);
  }
  async listAlive() {
    return [...this.states].flatMap(([runId, { state }]) =>
      state === 'alive' ? [{ runId, attemptId: runId.startsWith('run-') ? runId.slice(4) : null }] : [],
    );
  }
  async freeSlots() {
    return 10;
  }
}
