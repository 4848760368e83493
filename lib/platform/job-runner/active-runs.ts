import type { CallClock } from '@/lib/databricks/call-clock';
import type { JobRun, LakeflowJob } from '@/lib/databricks/jobs';

/** The runs that have not ended, as of a moment ago. */
export interface ActiveRuns {
  /** A list that may be a few seconds old; whoever asks meanwhile shares it. */
  list(): Promise<readonly JobRun[]>;
  /** A run that was submitted since: it counts until a list may show it. */
  noteSubmitted(runId: string): void;
  /** How many run, with those submitted since the list. */
  count(): Promise<number>;
}

const FRESH_MS = 2_000;
/** A list of many pages is kept longer: what we ask stays a sixth of the 30 pages a second that a workspace gives. */
const FRESH_MS_PER_PAGE = 200;
const PAGE_RUNS = 24;

export function createActiveRuns(job: Pick<LakeflowJob, 'listActive'>, clock: CallClock): ActiveRuns {
  let last: { readonly runs: readonly JobRun[]; readonly at: number; readonly freshMs: number } | null = null;
  let listing: Promise<readonly JobRun[]> | null = null;
  const submitted = new Map<string, number>();

  const listAnew = async () => {
    const at = clock.now();
    const runs = await job.listActive();
    last = { runs, at, freshMs: FRESH_MS + Math.ceil(runs.length / PAGE_RUNS) * FRESH_MS_PER_PAGE };
    for (const [runId, since] of submitted) if (since < at) submitted.delete(runId);
    return runs;
  };
  const list = async () => {
    if (last && clock.now() - last.at < last.freshMs) return last.runs;
    listing ??= listAnew().finally(() => {
      listing = null;
    });
    return listing;
  };

  return {
    list,
    noteSubmitted(runId) {
      submitted.set(runId, clock.now());
    },
    async count() {
      const ids = new Set((await list()).map(({ runId }) => runId));
      for (const runId of submitted.keys()) ids.add(runId);
      return ids.size;
    },
  };
}
