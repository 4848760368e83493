import type { CallbackAnswer } from '@/lib/contract/callback';
import { DomainError } from '@/lib/errors';
import { type Applied, applyCallbacks, type Delivery } from '@/lib/queue/callback';
import { createCallbackGroups } from '@/lib/queue/callback-groups';
import type { ClaimedTask } from '@/lib/queue/claim';
import { priceUsages } from '@/lib/usage/price';
import { type Lane, WORKERS } from './lane';
import { Outage, SimRunner } from './sim-runner';

/** What a simulated process does with a callback; a planted bug gives another one. */
export type ApplyCallbacks = typeof applyCallbacks;

/** An attempt that somebody has heard of. */
export interface KnownAttempt extends ClaimedTask {
  /** Place of its task among all tasks. */
  readonly place: number;
}

/** A claim in a worker's hands, and how far it has come. */
export interface Held {
  readonly claimed: ClaimedTask;
  submitted: boolean;
}

/** A worker process. When it dies, what it held is forgotten and another one with a new name takes its place. */
export interface SimWorker {
  readonly n: number;
  id: string;
  life: number;
  held: Held[];
}

interface Heard {
  readonly attempt_id: string;
  readonly final: boolean;
  readonly tokens: number;
}

/** A broken invariant, or an error where there must be none. */
export class Broken extends Error {}

/** All that a test knows of one sequence: what it did to the queue, and what it was told. */
export class World {
  readonly runner = new SimRunner();
  readonly workers: SimWorker[] = Array.from({ length: WORKERS }, (_, n) => ({
    n,
    id: `w${n}`,
    life: 0,
    held: [],
  }));
  /** Ids in the order in which they were enqueued. */
  readonly tasks: string[] = [];
  /** In the order of their tasks, then their numbers. */
  attempts: KnownAttempt[] = [];
  /** Every delivery that was ever made, also those that have not arrived yet. */
  readonly deliveries: Delivery[] = [];
  readonly heard = new Map<string, Heard>();
  readonly hooks = { priceUsages };
  /** Whether nothing else is under way while a step is played. */
  alone = false;
  /** A snapshot is held open. */
  reading = false;
  private readonly answers = new Map<string, string>();
  private made = 0;

  constructor(
    readonly lane: Lane,
    private readonly apply: ApplyCallbacks = applyCallbacks,
  ) {}

  get db() {
    return this.lane.db;
  }

  /** The same for everyone who asks within one step, and different for the next. */
  nextNumber(): number {
    this.made += 1;
    return this.made;
  }

  know(claimed: readonly ClaimedTask[]): void {
    for (const task of claimed) this.attempts.push({ ...task, place: this.tasks.indexOf(task.taskId) });
  }

  /** Once nothing is under way: an order that does not hang on who was faster. */
  sort(): void {
    this.attempts.sort((a, b) => a.place - b.place || a.number - b.number);
  }

  worker(a: number): SimWorker {
    const worker = this.workers[a % WORKERS];
    if (!worker) throw new Error('no worker');
    return worker;
  }

  /** Brings deliveries together, as one group; the same one gets the same answer whenever it comes. */
  async deliver(deliveries: readonly Delivery[]): Promise<readonly Applied[]> {
    const answers = await this.apply(this.db, deliveries, this.hooks);
    deliveries.forEach((delivery, n) => {
      const answer = answers[n];
      if (answer && !(answer instanceof DomainError)) this.hear(delivery, answer);
    });
    return answers;
  }

  /** As the app does: each by itself, in groups that form while the database is busy. */
  async deliverByGroups(deliveries: readonly Delivery[]): Promise<void> {
    const groups = createCallbackGroups({ db: this.db, hooks: this.hooks, maxMembers: 2 });
    await Promise.all(
      deliveries.map(async (delivery) => {
        const answer = await groups.apply(delivery, 100);
        if (!(answer instanceof DomainError)) this.hear(delivery, answer);
      }),
    );
  }

  hear(delivery: Delivery, answer?: CallbackAnswer): void {
    const { attemptId, webhookId, callback } = delivery;
    const key = `${attemptId} ${webhookId}`;
    if (answer) {
      const text = `${answer.outcome}, stop ${answer.stop}`;
      const before = this.answers.get(key);
      if (before !== undefined && before !== text) {
        throw new Broken(`invariant 3: one delivery was answered "${before}", then "${text}"`);
      }
      this.answers.set(key, text);
      const run = this.runner.runs.get(`run-${attemptId}`);
      if (answer.stop && run) run.stopping = true;
    }
    const { usage } = callback;
    if (!usage) return;
    this.heard.set(key, {
      attempt_id: attemptId,
      final: callback.type !== 'attempt.progress',
      tokens: usage.inputTokens + usage.outputTokens,
    });
  }

  /** What a run left beside its document, for whoever finds it gone. */
  readonly readOutbox = async (attemptId: string): Promise<Delivery | null> => {
    if (this.runner.outage === 'throws') throw new Outage('the outbox cannot be read now');
    const delivery = this.runner.runs.get(`run-${attemptId}`)?.outbox ?? null;
    if (delivery) this.hear(delivery);
    return delivery;
  };

  /** For verbs that report what they could not do now: an outage is expected, all else is not. */
  readonly onError = (error: unknown): void => {
    if (!(error instanceof Outage)) this.unexpected.push(error);
  };
  readonly unexpected: unknown[] = [];
}
