import type { CallClock } from '@/lib/databricks/call-clock';
import type { JobRun, LakeflowJob } from '@/lib/databricks/jobs';
import { WorkspaceError } from '@/lib/databricks/workspace-error';
import type { ActiveRuns } from './active-runs';
import type { BegunWithin } from './port';

/** Runs that Databricks says it does not know: it has to say so again, and its lists have to agree, before one is gone. */
export interface MissingRuns {
  /** Forgets what was held against a run: it was seen, or Databricks was out of reach meanwhile. */
  forget(runId: string): void;
  /**
   * Weighs an answer that a run does not exist. `doubtful`: not known to be gone yet. A run: a list shows it after all.
   * Throws where a list can't be had.
   */
  weigh(runId: string, begun: BegunWithin | undefined): Promise<'doubtful' | 'gone' | JobRun>;
}

/** A run that was deleted stays so; a workspace that is moved, or restored, may forget for a moment what runs in it. */
const APART_MS = 30_000;
/** Our clock and the platform's are not the same. */
const CLOCKS_DIFFER_MS = 5 * 60_000;
const MANY = 10_000;
/** Weighed at once; the others wait for a later look. A look at the lists may take many pages. */
const WEIGHED_AT_ONCE = 16;

export function createMissingRuns(
  job: Pick<LakeflowJob, 'listBegun'>,
  active: Pick<ActiveRuns, 'list'>,
  clock: CallClock,
): MissingRuns {
  const missingSince = new Map<string, number>();
  let weighing = 0;

  const listed = async (runId: string, begun: BegunWithin | undefined): Promise<JobRun | undefined> => {
    const isIt = (run: JobRun) => run.runId === runId;
    const found = (await active.list()).find(isIt);
    // By the documentation a run that is blocked or waits to be tried again is not active, and goes on all the same.
    if (found || !begun) return found;
    const from = new Date(begun.after.getTime() - CLOCKS_DIFFER_MS);
    const to = new Date(begun.before.getTime() + CLOCKS_DIFFER_MS);
    return (await job.listBegun({ from, to })).find(isIt);
  };

  return {
    forget(runId) {
      missingSince.delete(runId);
    },
    async weigh(runId, begun) {
      const since = missingSince.get(runId);
      if (since !== undefined && clock.now() - since < APART_MS) return 'doubtful';
      if (weighing >= WEIGHED_AT_ONCE) return 'doubtful';
      weighing += 1;
      try {
        const run = await listed(runId, begun);
        if (run) {
          missingSince.delete(runId);
          return run;
        }
      } finally {
        weighing -= 1;
      }
      if (since !== undefined) return 'gone';
      if (missingSince.size > MANY) missingSince.clear();
      missingSince.set(runId, clock.now());
      return 'doubtful';
    },
  };
}

/**
 * Whether an answer says that this very run does not exist. Both codes are seen for it; any other refusal, a gateway's
 * page or a moved workspace's, says nothing about a run.
 */
export function saysUnknown(error: unknown, runId: string): boolean {
  if (!(error instanceof WorkspaceError)) return false;
  if (error.status !== 400 && error.status !== 404) return false;
  if (error.errorCode !== 'RESOURCE_DOES_NOT_EXIST' && error.errorCode !== 'INVALID_PARAMETER_VALUE')
    return false;
  return new RegExp(`\\b${runId}\\b`).test(error.message);
}
