import type { JobRunner, RunRequest, RunStatus, SubmitOutcome } from '@/lib/platform/job-runner/port';
import type { Delivery } from '@/lib/queue/callback';

/** One run, as the platform and the outbox beside its document know it. */
export interface SimRun {
  readonly runId: string;
  readonly attemptId: string;
  readonly taskId: string;
  /** What it works with, the same in all that it reports. */
  readonly model: string | null;
  alive: boolean;
  /** Asked to stop; it does so in its own time, and may still report before. */
  stopping: boolean;
  /** Its worker lived to note it. One that nobody noted is found by its own word, or by the reconciler. */
  noted: boolean;
  /** Its first final report, which it left beside its document. */
  outbox: Delivery | null;
  code?: string;
}

/** Something outside is out of reach. Expected: whoever meets it tries again later. */
export class Outage extends Error {}

/** What the runner does with the next submission. */
export type Mood =
  | 'takes'
  | 'full'
  | 'everywhere'
  | 'refuses'
  | 'permanently'
  | 'unknown'
  | 'unknown_started';

/** The platform: the same token never starts a second run, and what was started stays known. */
export class SimRunner implements JobRunner {
  readonly runs = new Map<string, SimRun>();
  /** Starts per attempt; more than one breaks invariant 6. */
  readonly started = new Map<string, number>();
  private readonly byToken = new Map<string, SimRun>();
  outage: 'none' | 'throws' | 'unreachable' = 'none';

  async submit(request: RunRequest & { taskId: string }, mood: Mood = 'takes'): Promise<SubmitOutcome> {
    const { attemptId, idempotencyToken, taskId } = request;
    const known = this.byToken.get(idempotencyToken);
    if (known) return { kind: 'submitted', runId: known.runId };
    if (mood === 'full') return { kind: 'full', retryAfterSeconds: 1 };
    if (mood === 'everywhere') return { kind: 'full', retryAfterSeconds: 2, everywhere: true };
    if (mood === 'refuses') return { kind: 'refused', code: 'internal', message: 'no' };
    if (mood === 'permanently') return { kind: 'refused', code: 'corrupt_pdf', message: 'never' };
    if (mood === 'unknown') throw new Outage('no answer');
    const run: SimRun = {
      runId: `run-${attemptId}`,
      attemptId,
      taskId,
      model: ['simulated', 'unknown', null][this.runs.size % 3] ?? null,
      alive: true,
      stopping: false,
      noted: false,
      outbox: null,
    };
    this.byToken.set(idempotencyToken, run);
    this.runs.set(run.runId, run);
    this.started.set(attemptId, (this.started.get(attemptId) ?? 0) + 1);
    if (mood === 'unknown_started') throw new Outage('no answer, but it began');
    return { kind: 'submitted', runId: run.runId };
  }

  async status(runIds: readonly string[]): Promise<ReadonlyMap<string, RunStatus>> {
    if (this.outage === 'throws') throw new Outage('the runner is out of reach');
    return new Map(
      runIds.map((id): [string, RunStatus] => {
        if (this.outage === 'unreachable') return [id, { state: 'unreachable' }];
        const run = this.runs.get(id);
        return [id, run?.alive ? { state: 'alive' } : { state: 'gone', code: run?.code }];
      }),
    );
  }

  async cancel(runId: string): Promise<void> {
    const run = this.runs.get(runId);
    if (run) run.stopping = true;
  }

  async listAlive() {
    return this.alive().map(({ runId, attemptId }) => ({ runId, attemptId }));
  }

  async freeSlots(): Promise<number> {
    return 10;
  }

  alive(): SimRun[] {
    return [...this.runs.values()].filter((run) => run.alive);
  }

  /** What was asked to stop has done so. */
  stopAll(): void {
    for (const run of this.alive()) if (run.stopping) run.alive = false;
  }
}
