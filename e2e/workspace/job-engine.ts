import { randomInt } from 'node:crypto';
import { type Command, type CommandPlace, startCommand } from './job-command';
import type { Job, JobSettings } from './job-settings';
import { forbidden, invalid, Refusal } from './refusal';
import {
  FAILED,
  isActive,
  type Run,
  SKIPPED,
  SUCCESS,
  type Termination,
  TIMED_OUT,
  USER_CANCELED,
} from './runs';

export interface RunNow {
  readonly parameters: Readonly<Record<string, string>>;
  readonly idempotencyToken: string | undefined;
  readonly queueEnabled: boolean | undefined;
  readonly creator: string;
}

export interface EngineOptions {
  readonly now: () => number;
  /** Tasks that run at once in the whole workspace; more wait. The platform takes 2000. */
  readonly parallel: number;
  /** Origin of the workspace, for `{{workspace.url}}`. */
  readonly host: () => string;
  /** Where a run's command is started. */
  readonly place: (run: Run) => CommandPlace;
}

/** What runs jobs: queue, limits, idempotency and real processes. */
export interface JobEngine {
  readonly jobs: ReadonlyMap<bigint, Job>;
  readonly runs: ReadonlyMap<bigint, Run>;
  /** How many commands were begun over all: a run begins its command once. */
  readonly begun: ReadonlyMap<bigint, number>;
  create(settings: JobSettings): Job;
  runNow(job: Job, order: RunNow): Run;
  /** Asks a run to end; it answers before the run has ended. */
  cancel(run: Run): void;
  /** Ends a run at once as the platform would, whatever its command does. */
  end(run: Run, termination: Termination): void;
  /** Forgets a run: deleted, or older than the 60 days that history is kept. */
  forget(run: Run): void;
  stop(): Promise<void>;
}

export function createJobEngine(options: EngineOptions): JobEngine {
  const jobs = new Map<bigint, Job>();
  const runs = new Map<bigint, Run>();
  const begun = new Map<bigint, number>();
  const commands = new Map<bigint, Command>();
  const runOfToken = new Map<string, bigint>();
  const nextId = idSource();
  let stopped = false;

  const activeIn = (jobId: bigint | null) =>
    [...runs.values()].filter(
      (run) => isActive(run) && run.state !== 'QUEUED' && (jobId === null || run.jobId === jobId),
    ).length;

  /** Why a run of a job cannot begin now, as the platform words it. */
  const obstacle = (job: Job): string | null => {
    if (activeIn(job.id) >= job.settings.max_concurrent_runs) return 'MAX_CONCURRENT_RUNS_REACHED';
    return activeIn(null) >= options.parallel ? 'ACTIVE_RUN_JOB_TASKS_LIMIT_REACHED' : null;
  };

  const settle = (run: Run, termination: Termination) => {
    if (!isActive(run)) return;
    run.termination = termination;
    run.state = 'TERMINATED';
    run.endTime = options.now();
    beginQueued();
  };

  const begin = (run: Run, job: Job) => {
    const [task] = job.settings.tasks;
    if (!task) throw new Error(`job ${job.id} has no task`);
    run.queueCode = null;
    run.state = 'PENDING';
    // The answer to run-now goes first: no run is RUNNING in the moment it is asked for.
    setImmediate(() => {
      if (run.state !== 'PENDING' || stopped) return;
      run.state = 'RUNNING';
      run.begunAt = options.now();
      begun.set(run.id, (begun.get(run.id) ?? 0) + 1);
      const command = startCommand(
        task,
        { ...referencesOf(run, job), 'workspace.url': options.host() },
        options.place(run),
      );
      commands.set(run.id, command);
      const seconds = job.settings.timeout_seconds || task.timeout_seconds || 0;
      const timer = seconds > 0 ? setTimeout(() => expire(run, command), seconds * 1000) : undefined;
      void command.ended.then(({ exitCode, logs }) => {
        clearTimeout(timer);
        commands.delete(run.id);
        run.logs = logs;
        if (exitCode !== 0) run.error = lastLine(logs);
        settle(run, endOf(run, exitCode));
      });
    });
  };

  const expire = (run: Run, command: Command) => {
    if (run.state !== 'RUNNING') return;
    run.state = 'TERMINATING';
    run.error = 'timeout';
    command.kill();
  };

  const beginQueued = () => {
    if (stopped) return;
    for (const run of runs.values()) {
      const job = jobs.get(run.jobId);
      if (run.state === 'QUEUED' && job && obstacle(job) === null) begin(run, job);
    }
  };

  return {
    jobs,
    runs,
    begun,
    create(settings) {
      const job = { id: nextId(), settings, createdAt: options.now() };
      jobs.set(job.id, job);
      return job;
    },
    runNow(job, order) {
      const known = order.idempotencyToken && runOfToken.get(order.idempotencyToken);
      if (known) {
        const found = runs.get(known);
        // A token whose run was deleted yields an error, never a new run [https://docs.databricks.com/api/jobs/v2/run-now.md].
        if (!found) throw invalid(`The run of idempotency_token ${order.idempotencyToken} was deleted.`);
        return found;
      }
      const hindrance = obstacle(job);
      const queueEnabled = order.queueEnabled ?? job.settings.queue?.enabled ?? true;
      const skipped = hindrance === 'MAX_CONCURRENT_RUNS_REACHED' && !queueEnabled;
      if (hindrance && !queueEnabled && !skipped) {
        throw new Refusal(429, 'RESOURCE_EXHAUSTED', 'Too many tasks run in this workspace.');
      }
      const id = nextId();
      const run = newRun(job, order, { id, taskRunId: nextId(), startTime: options.now(), queueEnabled });
      runs.set(id, run);
      if (order.idempotencyToken) runOfToken.set(order.idempotencyToken, id);
      if (skipped) settle(run, SKIPPED);
      else if (hindrance === null) begin(run, job);
      else run.queueCode = hindrance;
      return run;
    },
    cancel(run) {
      if (!isActive(run) || run.state === 'TERMINATING') return;
      const command = commands.get(run.id);
      if (!command) return settle(run, USER_CANCELED);
      run.state = 'TERMINATING';
      command.kill();
    },
    end(run, termination) {
      commands.get(run.id)?.kill();
      settle(run, termination);
    },
    forget(run) {
      if (isActive(run)) throw forbidden(`Run ${run.id} is active.`);
      runs.delete(run.id);
    },
    async stop() {
      stopped = true;
      const running = [...commands.values()];
      for (const command of running) command.kill();
      await Promise.all(running.map((command) => command.ended));
    },
  };
}

function endOf(run: Run, exitCode: number | null): Termination {
  if (run.state === 'TERMINATING') return run.error === 'timeout' ? TIMED_OUT : USER_CANCELED;
  return exitCode === 0 ? SUCCESS : FAILED;
}

function lastLine(logs: string): string {
  return logs.trimEnd().split('\n').at(-1) ?? '';
}

function newRun(
  job: Job,
  order: RunNow,
  own: Pick<Run, 'id' | 'taskRunId' | 'startTime' | 'queueEnabled'>,
): Run {
  return {
    ...own,
    jobId: job.id,
    name: job.settings.name,
    numberInJob: own.id,
    taskKey: job.settings.tasks[0]?.task_key ?? '',
    creator: order.creator,
    parameters: job.settings.parameters.map(({ name, default: fallback }) => ({
      name,
      default: fallback,
      value: order.parameters[name] ?? fallback,
    })),
    idempotencyToken: order.idempotencyToken,
    state: 'QUEUED',
    queueCode: null,
    begunAt: 0,
    endTime: 0,
    termination: null,
    logs: '',
    error: null,
  };
}

function referencesOf(run: Run, job: Job): Record<string, string> {
  return {
    'job.id': String(job.id),
    'job.name': job.settings.name,
    'job.run_id': String(run.id),
    'task.run_id': String(run.taskRunId),
    'task.name': run.taskKey,
    'task.execution_count': '1',
    ...Object.fromEntries(run.parameters.map(({ name, value }) => [`job.parameters.${name}`, value])),
  };
}

/** Ids beyond 2^53 that follow each other so closely that doubles cannot tell them apart. */
function idSource(): () => bigint {
  let last = 2n ** 60n + BigInt(randomInt(2 ** 40)) * 1024n;
  return () => {
    last += 3n;
    return last;
  };
}
