import type {
  AliveRun,
  JobRunner,
  RunRequest,
  RunStatus,
  SubmitOutcome,
} from '@/lib/platform/job-runner/port';

/**
 * The bench's test runner: a run is a promise in the worker's process and ends with it. Other workers can tell whether
 * that process lives, as the embedded runner can.
 */
export class InProcessRunner implements JobRunner {
  readonly #runs = new Map<string, string>();

  constructor(
    private readonly slots: number,
    /** Does the work of an attempt and reports it; must not throw. */
    private readonly work: (attemptId: string) => Promise<void>,
    /** Told when a slot has become free. */
    private readonly onRoom: () => void,
  ) {}

  async submit({ attemptId }: RunRequest): Promise<SubmitOutcome> {
    const runId = `${process.pid}:${attemptId}`;
    if (this.#runs.has(runId)) return { kind: 'submitted', runId };
    if (this.#runs.size >= this.slots) return { kind: 'full', retryAfterSeconds: 1 };
    this.#runs.set(runId, attemptId);
    void this.work(attemptId).finally(() => {
      this.#runs.delete(runId);
      this.onRoom();
    });
    return { kind: 'submitted', runId };
  }

  async status(runIds: readonly string[]): Promise<ReadonlyMap<string, RunStatus>> {
    return new Map(runIds.map((runId) => [runId, { state: this.#isAlive(runId) ? 'alive' : 'gone' }]));
  }

  async cancel(): Promise<void> {}

  async listAlive(): Promise<readonly AliveRun[]> {
    return [...this.#runs].map(([runId, attemptId]) => ({ runId, attemptId }));
  }

  async freeSlots(): Promise<number> {
    return this.slots - this.#runs.size;
  }

  #isAlive(runId: string): boolean {
    const pid = Number(runId.split(':')[0]);
    if (pid === process.pid) return this.#runs.has(runId);
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  }
}
