import type {
  AliveRun,
  JobRunner,
  RunRequest,
  RunStatus,
  SubmitOutcome,
} from '@/lib/platform/job-runner/port';

export interface InProcessRunnerOptions {
  /** Unique per process start; the first part of every run id. */
  readonly workerId: string;
  /** Runs at once. */
  readonly slots: number;
  /** Does the work of an attempt and reports; ends early when the signal is aborted. Must not throw. */
  readonly work: (attemptId: string, signal: AbortSignal) => Promise<void>;
  /** Which of these workers have given a sign of life lately. */
  readonly listAlive: (workerIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * The smallest honest `JobRunner`: a run is a promise in the worker's own process. It ends with that process, which is
 * what makes `gone` true for the runs of a worker that gives no sign of life any more.
 */
export class InProcessRunner implements JobRunner {
  private readonly runs = new Map<
    string,
    { attemptId: string; stop: AbortController; over: Promise<void> }
  >();
  /** Of all submissions: the same token never starts a second run. */
  private readonly runIds = new Map<string, string>();

  constructor(private readonly options: InProcessRunnerOptions) {}

  async submit({ attemptId, idempotencyToken, maxRunSeconds }: RunRequest): Promise<SubmitOutcome> {
    const known = this.runIds.get(idempotencyToken);
    if (known) return { kind: 'submitted', runId: known };
    if ((await this.freeSlots()) < 1) return { kind: 'full', retryAfterSeconds: 1 };
    const runId = `${this.options.workerId}/${attemptId}`;
    this.runIds.set(idempotencyToken, runId);
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(maxRunSeconds * 1000)]);
    const over = this.options.work(attemptId, signal).finally(() => this.runs.delete(runId));
    this.runs.set(runId, { attemptId, stop, over });
    return { kind: 'submitted', runId };
  }

  async status(runIds: readonly string[]): Promise<ReadonlyMap<string, RunStatus>> {
    const workerOf = (runId: string) => runId.slice(0, Math.max(0, runId.lastIndexOf('/')));
    const others = new Set(runIds.map(workerOf));
    others.delete(this.options.workerId);
    const alive = others.size > 0 ? await this.options.listAlive([...others]) : new Set<string>();
    const stateOf = (runId: string): RunStatus => {
      if (workerOf(runId) === this.options.workerId)
        return { state: this.runs.has(runId) ? 'alive' : 'gone' };
      // Only that process knows; it renews the lease itself.
      return { state: alive.has(workerOf(runId)) ? 'unreachable' : 'gone' };
    };
    return new Map(runIds.map((runId) => [runId, stateOf(runId)]));
  }

  async cancel(runId: string): Promise<void> {
    this.runs.get(runId)?.stop.abort();
  }

  async listAlive(): Promise<readonly AliveRun[]> {
    return [...this.runs].map(([runId, { attemptId }]) => ({ runId, attemptId }));
  }

  async freeSlots(): Promise<number> {
    return this.options.slots - this.runs.size;
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.runs.values()].map(({ over }) => over));
  }
}
