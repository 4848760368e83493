import type { Termination } from '@/lib/databricks/jobs';

/** What the end of a run means for its attempt, where the run left no report. */
export interface MeaningOfEnd {
  /** One of ours; absent = it simply left no answer, as a run that was lost. */
  readonly code?: 'run_lost' | 'timeout' | 'internal' | 'budget_exceeded';
  readonly retryable: boolean;
  /** What happened and, where somebody can act, what to do. */
  readonly words: string;
}

const again = (words: string): MeaningOfEnd => ({ code: 'run_lost', retryable: true, words });
const never = (words: string): MeaningOfEnd => ({ code: 'internal', retryable: false, words });

/**
 * Every termination code of Jobs API 2.2 (`status.termination_details.code`, databricks-sdk-py `service/jobs.py`). Only
 * what somebody has to mend in the workspace is for good; where the platform was at fault, or short of room, it is tried
 * again.
 */
export const TERMINATION_CODES: Readonly<Record<string, MeaningOfEnd>> = {
  SUCCESS: { retryable: true, words: 'The run ended without an answer.' },
  SUCCESS_WITH_FAILURES: { retryable: true, words: 'The run ended without an answer.' },
  USER_CANCELED: again('The run was cancelled in Databricks.'),
  CANCELED: {
    code: 'timeout',
    retryable: true,
    words: 'Databricks stopped the run, as it does at a time limit.',
  },
  SKIPPED: again('Databricks skipped the run.'),
  INTERNAL_ERROR: again('Databricks had an internal error.'),
  DRIVER_ERROR: again('The compute of the run failed.'),
  CLUSTER_ERROR: again('The compute of the run failed.'),
  CLOUD_FAILURE: again('The cloud provider failed the run.'),
  REPOSITORY_CHECKOUT_FAILED: again('Databricks could not fetch the code of the job.'),
  INVALID_CLUSTER_REQUEST: never(
    'The job asks for compute that it can not have. Deploy the job again, or mend its settings.',
  ),
  WORKSPACE_RUN_LIMIT_EXCEEDED: again(
    'The workspace has as many runs as it may. Lower MAX_CONCURRENT_TASKS if this goes on.',
  ),
  FEATURE_DISABLED: never(
    'The job needs a feature that is switched off in this workspace. Ask its administrator.',
  ),
  CLUSTER_REQUEST_LIMIT_EXCEEDED: again('The workspace asked for compute too often.'),
  STORAGE_ACCESS_ERROR: again('The run could not reach its storage.'),
  RUN_EXECUTION_ERROR: again('The agent ended with an error.'),
  UNAUTHORIZED_ERROR: never(
    'The identity that the job runs as may not use something that it needs. Check its grants with npm run doctor.',
  ),
  LIBRARY_INSTALLATION_ERROR: again('The packages of the job could not be installed.'),
  MAX_CONCURRENT_RUNS_EXCEEDED: again(
    'The job has as many runs as it may. Switch queueing on in its settings.',
  ),
  MAX_SPARK_CONTEXTS_EXCEEDED: again('The compute of the run has as many contexts as it may.'),
  RESOURCE_NOT_FOUND: never('Something that the job needs is not there. Deploy the job again.'),
  INVALID_RUN_CONFIGURATION: never('The settings of the job are not valid. Deploy the job again.'),
  MAX_JOB_QUEUE_SIZE_EXCEEDED: again(
    'The queue of the job is full. Lower MAX_CONCURRENT_TASKS if this goes on.',
  ),
  DISABLED: never('The task of the job is switched off. Switch it on in Databricks.'),
  BREAKING_CHANGE: never('Databricks no longer takes this run as it is. Deploy a newer version of the job.'),
  CLUSTER_TERMINATED_BY_USER: again('Somebody ended the compute of the run.'),
  BUDGET_POLICY_LIMIT_EXCEEDED: {
    code: 'budget_exceeded',
    retryable: false,
    words: 'The budget policy of the job is used up. Raise it, or choose another one, and retry.',
  },
};

/** A code that is not in the table goes by its type. */
const TYPES: Readonly<Record<string, MeaningOfEnd>> = {
  SUCCESS: { retryable: true, words: 'The run ended without an answer.' },
  CLIENT_ERROR: never('Databricks ended the run for a reason that lies with the job.'),
  INTERNAL_ERROR: again('Databricks had an internal error.'),
  CLOUD_FAILURE: again('The cloud provider failed the run.'),
};

/** @param termination null where the platform did not say */
export function meaningOfEnd(termination: Termination | null): MeaningOfEnd {
  if (!termination) return again('The run ended without an answer.');
  const byCode = Object.hasOwn(TERMINATION_CODES, termination.code)
    ? TERMINATION_CODES[termination.code]
    : undefined;
  const byType = Object.hasOwn(TYPES, termination.type) ? TYPES[termination.type] : undefined;
  return byCode ?? byType ?? again(`The run ended with ${termination.code || 'no reason given'}.`);
}
