import { z } from 'zod';
import { idNumber, WorkspaceId } from './exact-json';
import type { WorkspaceClient } from './workspace-client';

/** One job of Lakeflow, by Jobs API 2.2. Ids are strings of digits. All throw `WorkspaceError`. */
export interface LakeflowJob {
  /** Starts a run; the same token gives the same run. Queues where the job has as many runs as it may. */
  runNow(run: {
    readonly token: string;
    readonly parameters: Readonly<Record<string, string>>;
  }): Promise<string>;
  getRun(runId: string): Promise<JobRun>;
  /** All runs of this job that have not ended, page by page. */
  listActive(): Promise<JobRun[]>;
  /** All runs of this job that began in a span of time, whatever became of them, page by page. */
  listBegun(within: { readonly from: Date; readonly to: Date }): Promise<JobRun[]>;
  /** Asks a run to stop; answers before it has. */
  cancel(runId: string): Promise<void>;
  /** How many runs the job may have at once; more are queued. */
  maxConcurrentRuns(): Promise<number>;
  /** What a task that failed said last; null when it said nothing. */
  taskError(taskRunId: string): Promise<string | null>;
}

/** A run as `status` tells it; the deprecated `state` is read only where there is none. */
export interface JobRun {
  readonly runId: string;
  /** Effective values. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly hasEnded: boolean;
  readonly termination: Termination | null;
  readonly taskRunId: string | null;
  readonly pageUrl: string | null;
}

/** How a run ended. Both sets are open: the platform adds to them. */
export interface Termination {
  readonly code: string;
  readonly type: string;
  readonly message: string;
}

const RunShape = z.object({
  run_id: WorkspaceId,
  status: z
    .object({
      state: z.string(),
      termination_details: z
        .object({
          code: z.string().default(''),
          type: z.string().default(''),
          message: z.string().default(''),
        })
        .nullish(),
    })
    .nullish(),
  state: z
    .object({
      life_cycle_state: z.string().default(''),
      result_state: z.string().default(''),
      state_message: z.string().default(''),
    })
    .nullish(),
  job_parameters: z
    .array(z.object({ name: z.string(), value: z.string().nullish(), default: z.string().nullish() }))
    .nullish(),
  tasks: z.array(z.object({ run_id: WorkspaceId })).nullish(),
  run_page_url: z.string().nullish(),
});
const RunsPage = z.object({ runs: z.array(RunShape).nullish(), next_page_token: z.string().nullish() });

const BASE = '/api/2.2/jobs';
/** The most that a page takes. */
const PAGE_RUNS = 24;
/** Beyond so many pages something is wrong with their tokens: a workspace runs 2,000 tasks at once. */
const MAX_PAGES = 500;
/** A dispatch waits out a short refusal; a longer one is the queue's to plan with. */
const DISPATCH_RETRY_MS = 15_000;

export function createLakeflowJob(client: WorkspaceClient, jobId: string): LakeflowJob {
  const id = idNumber(jobId);
  return {
    async runNow({ token, parameters }) {
      const answer = await client.json({
        method: 'POST',
        path: `${BASE}/run-now`,
        json: { job_id: id, idempotency_token: token, job_parameters: parameters, queue: { enabled: true } },
        family: 'run-now',
        idempotent: true,
        retryForMs: DISPATCH_RETRY_MS,
      });
      return z.object({ run_id: WorkspaceId }).parse(answer).run_id;
    },

    async getRun(runId) {
      const query = { run_id: String(idNumber(runId)) };
      const answer = await client.json({
        method: 'GET',
        path: `${BASE}/runs/get`,
        query,
        family: 'runs/get',
        idempotent: true,
      });
      return shown(RunShape.parse(answer));
    },

    listActive: () => listRuns(client, { job_id: jobId, active_only: true }),
    listBegun: ({ from, to }) =>
      listRuns(client, { job_id: jobId, start_time_from: from.getTime(), start_time_to: to.getTime() }),

    async cancel(runId) {
      const json = { run_id: idNumber(runId) };
      await client.json({
        method: 'POST',
        path: `${BASE}/runs/cancel`,
        json,
        family: 'runs/cancel',
        idempotent: true,
      });
    },

    async maxConcurrentRuns() {
      const answer = await client.json({
        method: 'GET',
        path: `${BASE}/get`,
        query: { job_id: jobId },
        idempotent: true,
      });
      const { settings } = z
        .object({ settings: z.object({ max_concurrent_runs: z.number().int().nonnegative().default(1) }) })
        .parse(answer);
      return settings.max_concurrent_runs;
    },

    async taskError(taskRunId) {
      const query = { run_id: String(idNumber(taskRunId)) };
      const call = {
        method: 'GET',
        path: `${BASE}/runs/get-output`,
        query,
        family: 'runs/get-output',
        idempotent: true,
        retryForMs: 0,
      } as const;
      const answer = z.object({ error: z.string().nullish() }).parse(await client.json(call));
      return answer.error || null;
    },
  };
}

async function listRuns(
  client: WorkspaceClient,
  which: Readonly<Record<string, string | number | boolean>>,
): Promise<JobRun[]> {
  const runs: JobRun[] = [];
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const call = {
      method: 'GET',
      path: `${BASE}/runs/list`,
      query: { ...which, limit: PAGE_RUNS, page_token: token },
      family: 'runs/list',
      idempotent: true,
    } as const;
    const answer = RunsPage.parse((await client.json(call)) ?? {});
    runs.push(...(answer.runs ?? []).map(shown));
    token = answer.next_page_token || undefined;
    if (token === undefined) return runs;
  }
  throw new Error(`the list of runs of job ${which.job_id} has no end`);
}

/** Of the old object: an ordinary failure shows there as INTERNAL_ERROR. */
const OLD_ENDS = new Set(['TERMINATED', 'SKIPPED', 'INTERNAL_ERROR']);

function shown(run: z.output<typeof RunShape>): JobRun {
  const { status, state } = run;
  // Any state that is not the end, also one that we don't know, is a run that goes on.
  const hasEnded = status ? status.state === 'TERMINATED' : OLD_ENDS.has(state?.life_cycle_state ?? '');
  const details = status?.termination_details;
  return {
    runId: run.run_id,
    parameters: new Map(
      (run.job_parameters ?? []).map(({ name, value, default: fallback }) => [name, value ?? fallback ?? '']),
    ),
    hasEnded,
    termination: hasEnded ? (details ?? oldTermination(state)) : null,
    taskRunId: run.tasks?.at(-1)?.run_id ?? null,
    pageUrl: run.run_page_url ?? null,
  };
}

/** What the old object says, in the words of the new one. */
function oldTermination(state: z.output<typeof RunShape>['state']): Termination | null {
  const codes: Record<string, string> = {
    SUCCESS: 'SUCCESS',
    SUCCESS_WITH_FAILURES: 'SUCCESS_WITH_FAILURES',
    FAILED: 'RUN_EXECUTION_ERROR',
    TIMEDOUT: 'CANCELED',
    CANCELED: 'USER_CANCELED',
    MAXIMUM_CONCURRENT_RUNS_REACHED: 'MAX_CONCURRENT_RUNS_EXCEEDED',
    DISABLED: 'DISABLED',
  };
  const code = codes[state?.result_state ?? ''];
  return code ? { code, type: '', message: state?.state_message ?? '' } : null;
}
