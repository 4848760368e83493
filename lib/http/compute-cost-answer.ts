import 'server-only';
import { type ClientScope, clientScope } from '@/lib/auth/roles';
import type { ComputeCostAnswer } from '@/lib/contract/api-metrics';
import { TaskFilters } from '@/lib/contract/api-requests';
import type { SessionUser } from '@/lib/contract/roles';
import { readBilledRuns } from '@/lib/dashboard/metrics/read-billed-runs';
import { readRunSeconds } from '@/lib/dashboard/metrics/read-metrics';
import { DomainError } from '@/lib/errors';
import { canonicalFilters, parseCanonicalFilters } from '@/lib/figures/canonical-filters';
import { answerComputeCost, findComputeCost, requestComputeCost } from '@/lib/figures/compute-cost';
import type { AppRuntime } from './app-runtime';
import { json } from './json';
import { InvalidInput } from './problem';
import { readText } from './read-body';

const MAX_FILTER_BYTES = 64 * 1024;

/** 202 with the id under which the answer will be; the source is asked meanwhile. */
export async function acceptComputeCost(
  runtime: AppRuntime,
  user: SessionUser,
  filters: TaskFilters,
): Promise<Response> {
  const id = await requestComputeCost(runtime.db, {
    filters: canonicalFilters(filters, clientScope(user)),
    source: runtime.billing.name,
    requestedBy: `user:${user.id}`,
  });
  askInBackground(runtime, id);
  return json({ id }, 202);
}

/** The filters of a request: in its query, or in a JSON body. Throws as the route's own parsing does. */
export async function filtersOf(request: Request, query: TaskFilters): Promise<TaskFilters> {
  const text = await readText(request, MAX_FILTER_BYTES);
  if (text.trim() === '') return query;
  const parsed = TaskFilters.safeParse(parseJson(text));
  if (!parsed.success) throw new InvalidInput('body', parsed.error);
  return { ...query, ...parsed.data };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError('bad_request', 'The body is not JSON.', { cause });
  }
}

/** The state of a request. One whose process died while it asked is asked anew. */
export async function computeCostAnswer(
  runtime: AppRuntime,
  user: SessionUser,
  id: string,
): Promise<ComputeCostAnswer> {
  const found = await findComputeCost(runtime.db, id);
  if (!found || !maySee(found.filters, clientScope(user))) {
    throw new DomainError('not_found', 'There is no such request for compute cost.');
  }
  if (found.status === 'pending') askInBackground(runtime, id);
  return {
    status: found.status,
    source: found.source,
    ...(found.computeCostUsd !== null && { computeCostUsd: found.computeCostUsd }),
    ...(found.readyAt && { readyAt: found.readyAt.toISOString() }),
    ...(found.message !== null && { message: found.message }),
  };
}

/** An answer was computed within what its asker may see: nobody else gets it. */
function maySee(filters: string, scope: ClientScope): boolean {
  const sorted = (list: ClientScope) => JSON.stringify(list && [...list].sort());
  return sorted(parseCanonicalFilters(filters).scope) === sorted(scope);
}

function askInBackground({ db, billing, log }: AppRuntime, id: string): void {
  const readRuns = async (text: string) => {
    const { filters, scope } = parseCanonicalFilters(text);
    const runSeconds = await readRunSeconds(db, filters, scope);
    return { runSeconds, readRuns: () => readBilledRuns(db, filters, scope) };
  };
  answerComputeCost(db, id, billing, readRuns).catch((err: unknown) => {
    log.warn({ err, id }, 'compute_cost.failed');
  });
}
