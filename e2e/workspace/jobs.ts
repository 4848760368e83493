import { Hono } from 'hono';
import { z } from 'zod';
import { requireGrant, type Token } from './identities';
import type { JobEngine } from './job-engine';
import { type Job, JobParameters, JobSettings } from './job-settings';
import type { RateLimits } from './rate-limits';
import { invalid, missing } from './refusal';
import { answer, type Call, type Env, Int64, QueryInt64, readBody, readQuery } from './requests';
import { isActive, type Run, showRun, showTask } from './runs';
import { listRuns, RunsQuery } from './runs-list';

/** Jobs API 2.2 (databricks-sdk-py `service/jobs.py`; [https://docs.databricks.com/aws/en/reference/jobs-api-2-2-updates]). */
export interface JobsSettings {
  /** The status for a run that is not there (any more): 400 or 404 is not confirmed. */
  unknownRunStatus: 400 | 404;
}

const RunNowBody = z.strictObject({
  job_id: Int64,
  idempotency_token: z.string().min(1).max(64, { error: 'has at most 64 characters' }).optional(),
  job_parameters: JobParameters.optional(),
  queue: z.strictObject({ enabled: z.boolean() }).optional(),
  performance_target: z.enum(['PERFORMANCE_OPTIMIZED', 'STANDARD']).optional(),
});

const Flag = z.enum(['true', 'false']).optional();
const RunIdBody = z.strictObject({ run_id: Int64 });
const RunIdQuery = z.strictObject({ run_id: QueryInt64 });
const RunGetQuery = z.strictObject({
  run_id: QueryInt64,
  include_history: Flag,
  include_resolved_values: Flag,
  page_token: z.string().optional(),
});

export interface JobsDeps {
  readonly engine: JobEngine;
  readonly limits: RateLimits;
  readonly settings: JobsSettings;
  readonly host: () => string;
}

export function jobsRoutes(deps: JobsDeps): Hono<Env> {
  const { engine, limits, host } = deps;
  const app = new Hono<Env>().basePath('/api/2.2/jobs');
  const allowed = (c: Call) => mayManageRuns(c.get('token'));

  app.post('/create', async (c) => {
    limits.take('create');
    const settings = await readBody(c, JobSettings);
    return answer({ job_id: engine.create(settings).id });
  });
  app.get('/get', (c) => {
    limits.take('get');
    const { job_id } = readQuery(c, z.strictObject({ job_id: QueryInt64 }));
    allowed(c);
    const job = findJob(engine, job_id);
    return answer({
      job_id,
      created_time: job.createdAt,
      settings: { ...job.settings, format: 'MULTI_TASK' },
    });
  });

  app.post('/run-now', async (c) => {
    limits.take('run-now');
    const body = await readBody(c, RunNowBody);
    allowed(c);
    const job = findJob(engine, body.job_id);
    checkParameters(job, body.job_parameters ?? {});
    const run = engine.runNow(job, {
      parameters: body.job_parameters ?? {},
      idempotencyToken: body.idempotency_token,
      queueEnabled: body.queue?.enabled,
      creator: c.get('token').principal.name,
    });
    return answer({ run_id: run.id, number_in_job: run.numberInJob });
  });

  app.get('/runs/get', (c) => {
    limits.take('runs/get');
    const { run_id } = readQuery(c, RunGetQuery);
    allowed(c);
    const run = findRun(deps, run_id);
    return answer({ ...showRun(run, host()), tasks: [showTask(run, host())] });
  });
  app.get('/runs/list', (c) => {
    limits.take('runs/list');
    const query = readQuery(c, RunsQuery);
    allowed(c);
    return answer(listRuns([...engine.runs.values()], query, host()));
  });
  app.get('/runs/get-output', (c) => {
    limits.take('runs/get-output');
    const { run_id } = readQuery(c, RunIdQuery);
    allowed(c);
    const run = [...engine.runs.values()].find((one) => one.taskRunId === run_id);
    // Of a job's run there is none: only a task has output.
    if (!run) throw invalid(`Run ${run_id} does not exist or is not a task run.`);
    const failed = run.error === null ? {} : { error: run.error, error_trace: run.logs.slice(-2000) };
    return answer({ metadata: showTask(run, host()), logs: run.logs, logs_truncated: false, ...failed });
  });

  app.post('/runs/cancel', async (c) => {
    limits.take('runs/cancel');
    const { run_id } = await readBody(c, RunIdBody);
    allowed(c);
    engine.cancel(findRun(deps, run_id));
    return answer({});
  });
  app.post('/runs/cancel-all', async (c) => {
    limits.take('runs/cancel-all');
    // Without a job it would end every queued run of the workspace: our product has no business with that.
    const { job_id } = await readBody(c, z.strictObject({ job_id: Int64 }));
    allowed(c);
    for (const run of engine.runs.values()) if (run.jobId === job_id) engine.cancel(run);
    return answer({});
  });
  app.post('/runs/delete', async (c) => {
    limits.take('runs/delete');
    const { run_id } = await readBody(c, RunIdBody);
    allowed(c);
    const run = findRun(deps, run_id);
    if (isActive(run)) throw invalid(`Run ${run_id} is active and cannot be deleted.`);
    engine.forget(run);
    return answer({});
  });
  return app;
}

/** Permission comes before existence: a job that was deleted answers 403 too (databricks/cli `libs/testserver/jobs.go`). */
function mayManageRuns(token: Token): void {
  requireGrant(token, 'job:CAN_MANAGE_RUN', 'jobs', 'the job');
}

function findJob(engine: JobEngine, id: bigint): Job {
  const job = engine.jobs.get(id);
  if (!job) throw missing(`Job ${id} does not exist.`);
  return job;
}

function findRun({ engine, settings }: JobsDeps, id: bigint): Run {
  const run = engine.runs.get(id);
  if (run) return run;
  const message = `Run ${id} does not exist.`;
  throw settings.unknownRunStatus === 400 ? invalid(message) : missing(message);
}

/** A parameter that the job does not define is refused: a typo would otherwise run with the default. */
function checkParameters(job: Job, given: Readonly<Record<string, string>>): void {
  const known = new Set(job.settings.parameters.map(({ name }) => name));
  const unknown = Object.keys(given).find((name) => !known.has(name));
  if (unknown !== undefined) throw invalid(`Job ${job.id} has no parameter ${unknown}.`);
}
