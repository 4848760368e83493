/**
 * A run of a job and how the platform shows it. `status` is what counts and `state` the old object beside it
 * (databricks-sdk-py `service/jobs.py`); that an ordinary failure shows there as INTERNAL_ERROR on the job's run and
 * TERMINATED on its task is measured in databricks/cli (`libs/testserver/jobs.go`).
 */

export type TerminationCode =
  | 'SUCCESS'
  | 'USER_CANCELED'
  | 'CANCELED'
  | 'SKIPPED'
  | 'INTERNAL_ERROR'
  | 'DRIVER_ERROR'
  | 'CLUSTER_ERROR'
  | 'RUN_EXECUTION_ERROR'
  | 'UNAUTHORIZED_ERROR'
  | 'LIBRARY_INSTALLATION_ERROR'
  | 'STORAGE_ACCESS_ERROR'
  | 'MAX_CONCURRENT_RUNS_EXCEEDED'
  | 'MAX_JOB_QUEUE_SIZE_EXCEEDED'
  | 'CLOUD_FAILURE'
  | (string & {});

export type TerminationType = 'SUCCESS' | 'CLIENT_ERROR' | 'INTERNAL_ERROR' | 'CLOUD_FAILURE' | (string & {});

export interface Termination {
  readonly code: TerminationCode;
  readonly type: TerminationType;
  readonly message: string;
  /** Of the old object. */
  readonly resultState: string;
}

export interface Run {
  readonly id: bigint;
  readonly taskRunId: bigint;
  readonly jobId: bigint;
  readonly name: string;
  readonly numberInJob: bigint;
  readonly taskKey: string;
  readonly creator: string;
  readonly parameters: readonly { readonly name: string; readonly default: string; readonly value: string }[];
  readonly idempotencyToken: string | undefined;
  readonly queueEnabled: boolean;
  readonly startTime: number;
  state: 'QUEUED' | 'PENDING' | 'RUNNING' | 'TERMINATING' | 'TERMINATED' | (string & {});
  queueCode: string | null;
  /** When its command began. */
  begunAt: number;
  endTime: number;
  termination: Termination | null;
  /** The last 5 MB of what the command wrote. */
  logs: string;
  error: string | null;
}

export const isActive = (run: Run) => run.state !== 'TERMINATED';

const OLD_LIFE_CYCLE: Readonly<Record<string, string>> = {
  SKIPPED: 'SKIPPED',
  MAX_CONCURRENT_RUNS_EXCEEDED: 'SKIPPED',
};

function lifeCycle(run: Run, ofTask: boolean): string {
  if (!run.termination) return run.state;
  const skipped = OLD_LIFE_CYCLE[run.termination.code];
  if (skipped) return skipped;
  const failed = run.termination.resultState === 'FAILED';
  return failed && !ofTask ? 'INTERNAL_ERROR' : 'TERMINATED';
}

function states(run: Run, ofTask: boolean) {
  const { termination, state, queueCode } = run;
  return {
    state: {
      life_cycle_state: lifeCycle(run, ofTask),
      state_message: termination?.message ?? '',
      ...(termination ? { result_state: termination.resultState, user_cancelled_or_timedout: false } : {}),
    },
    status: {
      state,
      ...(queueCode === null
        ? {}
        : { queue_details: { code: queueCode, message: 'Queued: a limit of runs at once is reached.' } }),
      ...(termination
        ? {
            termination_details: {
              code: termination.code,
              type: termination.type,
              message: termination.message,
            },
          }
        : {}),
    },
  };
}

/** What `runs/list` shows of a run; `runs/get` adds its tasks. */
export function showRun(run: Run, host: string) {
  return {
    job_id: run.jobId,
    run_id: run.id,
    number_in_job: run.numberInJob,
    original_attempt_run_id: run.id,
    creator_user_name: run.creator,
    run_name: run.name,
    run_type: 'JOB_RUN',
    trigger: 'ONE_TIME',
    start_time: run.startTime,
    end_time: run.endTime,
    // 0 at the level of the job (service/jobs.py); run_duration counts.
    setup_duration: 0,
    execution_duration: 0,
    cleanup_duration: 0,
    run_duration: run.endTime > 0 ? run.endTime - run.startTime : 0,
    queue_duration: run.begunAt > 0 ? run.begunAt - run.startTime : 0,
    job_parameters: run.parameters,
    run_page_url: `${host}/?o=1#job/${run.jobId}/run/${run.id}`,
    format: 'MULTI_TASK',
    effective_performance_target: 'PERFORMANCE_OPTIMIZED',
    ...states(run, false),
  };
}

export function showTask(run: Run, host: string) {
  return {
    run_id: run.taskRunId,
    task_key: run.taskKey,
    attempt_number: 0,
    start_time: run.begunAt || run.startTime,
    end_time: run.endTime,
    execution_duration: run.endTime > 0 && run.begunAt > 0 ? run.endTime - run.begunAt : 0,
    run_page_url: `${host}/?o=1#job/${run.jobId}/run/${run.taskRunId}`,
    ...states(run, true),
  };
}

export const SUCCESS: Termination = { code: 'SUCCESS', type: 'SUCCESS', message: '', resultState: 'SUCCESS' };
export const USER_CANCELED: Termination = {
  code: 'USER_CANCELED',
  type: 'SUCCESS',
  message: 'Run cancelled.',
  resultState: 'CANCELED',
};
export const TIMED_OUT: Termination = {
  code: 'CANCELED',
  type: 'CLIENT_ERROR',
  message: 'The run exceeded its timeout.',
  resultState: 'TIMEDOUT',
};
export const FAILED: Termination = {
  code: 'RUN_EXECUTION_ERROR',
  type: 'CLIENT_ERROR',
  // The exception itself is only in the task's output.
  message: 'Workload failed, see run output for details',
  resultState: 'FAILED',
};
export const SKIPPED: Termination = {
  code: 'MAX_CONCURRENT_RUNS_EXCEEDED',
  type: 'CLIENT_ERROR',
  message: 'Skipped: the job has its maximum of concurrent runs.',
  resultState: 'MAXIMUM_CONCURRENT_RUNS_REACHED',
};
