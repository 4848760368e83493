import { z } from 'zod';
import { invalid } from './refusal';
import { QueryInt64 } from './requests';
import { isActive, type Run, showRun } from './runs';

/** `GET /api/2.2/jobs/runs/list`: pages of at most 24, by tokens, newest end first (databricks-sdk-py `service/jobs.py`). */

const Flag = z.enum(['true', 'false']).optional();
const Millis = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .optional();

export const RunsQuery = z.strictObject({
  job_id: QueryInt64.optional(),
  active_only: Flag,
  completed_only: Flag,
  run_type: z.enum(['JOB_RUN', 'WORKFLOW_RUN', 'SUBMIT_RUN']).optional(),
  start_time_from: Millis,
  start_time_to: Millis,
  expand_tasks: Flag,
  limit: z
    .string()
    .regex(/^\d{1,2}$/, { error: 'needs a number up to 24' })
    .transform(Number)
    .pipe(z.number().max(24, { error: 'is at most 24' }))
    .optional(),
  page_token: z.string().optional(),
});

const MOST = 24;
/** As the Jobs API words it: a run that is blocked, or waits to be tried again, is not among them. */
const LISTED_AS_ACTIVE: ReadonlySet<string> = new Set(['QUEUED', 'PENDING', 'RUNNING', 'TERMINATING']);

export function listRuns(all: readonly Run[], query: z.output<typeof RunsQuery>, host: string) {
  if (query.active_only === 'true' && query.completed_only === 'true') {
    throw invalid('active_only and completed_only exclude each other.');
  }
  if (query.run_type !== undefined && query.run_type !== 'JOB_RUN') return {};
  const found = all
    .filter((run) => query.job_id === undefined || run.jobId === query.job_id)
    .filter((run) => query.active_only !== 'true' || LISTED_AS_ACTIVE.has(run.state))
    .filter((run) => query.completed_only !== 'true' || !isActive(run))
    .filter((run) => run.startTime >= (query.start_time_from ?? 0))
    .filter((run) => run.startTime <= (query.start_time_to ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => (b.endTime || b.startTime) - (a.endTime || a.startTime) || (a.id < b.id ? 1 : -1));
  const from = query.page_token === undefined ? 0 : positionOf(query.page_token);
  // 0 asks for the maximum.
  const size = query.limit === undefined ? 20 : query.limit || MOST;
  const page = found.slice(from, from + size);
  const next = from + size;
  return {
    // Absent where there is none, as in the platform's other lists.
    ...(page.length > 0 ? { runs: page.map((run) => showRun(run, host)) } : {}),
    ...(next < found.length ? { next_page_token: tokenAt(next) } : {}),
    ...(from > 0 ? { prev_page_token: tokenAt(Math.max(0, from - size)) } : {}),
  };
}

const tokenAt = (position: number) => Buffer.from(`page:${position}`).toString('base64url');

function positionOf(token: string): number {
  const match = /^page:(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString());
  if (!match) throw invalid('page_token is not one that this call gave.');
  return Number(match[1]);
}
