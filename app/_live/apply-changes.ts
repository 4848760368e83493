import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { keys } from '@/lib/api-client/queries';
import { refetchAfterMs } from '@/lib/api-client/refetch-after';
import type { Metrics } from '@/lib/contract/api-metrics';
import type { ChangeEvent } from '@/lib/contract/live';

/** At most one round of refetching in this time; a server that many look at asks for a longer one. */
const ROUND_MS = 1_000;

/** Where changes go. */
export interface ChangeSink {
  change(event: ChangeEvent): void;
  /** Something may have been missed: everything on screen is fetched anew. */
  resync(): void;
  /** Out of view nothing is fetched; what came meanwhile is when `resume` is called. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/**
 * Turns change events into fresh data: counts without filters are patched at once, what else is on screen is refetched,
 * the first change at once and those behind it together a second later.
 */
export function createChangeSink(client: QueryClient): ChangeSink {
  const touched = { tasks: new Set<string>(), extractions: new Set<string>(), all: false, any: false };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastRoundAt = 0;
  let paused = false;

  const run = () => {
    timer = undefined;
    lastRoundAt = Date.now();
    const { all } = touched;
    const concerns = (key: QueryKey) => {
      if (key[1] !== 'one' || all) return true;
      const ids = key[0] === 'tasks' ? touched.tasks : touched.extractions;
      return ids.has(String(key[2]));
    };
    void client.invalidateQueries(
      { predicate: (query) => concerns(query.queryKey) },
      // What was asked before the way was free again may never be answered.
      { cancelRefetch: all },
    );
    touched.tasks.clear();
    touched.extractions.clear();
    touched.all = touched.any = false;
  };
  const schedule = () => {
    touched.any = true;
    if (paused || timer !== undefined) return;
    const wait = Math.max(0, lastRoundAt + Math.max(ROUND_MS, refetchAfterMs()) - Date.now());
    if (wait === 0) run();
    else timer = setTimeout(run, wait);
  };

  return {
    change(event) {
      client.setQueriesData<Metrics>(
        { queryKey: keys.metrics, predicate: ({ queryKey }) => isUnfiltered(queryKey) },
        (old) => old && { ...old, counts: event.counts },
      );
      for (const task of event.tasks) {
        touched.tasks.add(task.id);
        if (task.extractionId) touched.extractions.add(task.extractionId);
      }
      touched.all ||= event.truncated;
      schedule();
    },
    resync() {
      touched.all = true;
      schedule();
    },
    pause() {
      paused = true;
      clearTimeout(timer);
      timer = undefined;
    },
    resume() {
      paused = false;
      if (touched.any) schedule();
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

/** Whether figures are over all tasks: their time zone leaves nothing out. */
function isUnfiltered([, filters]: QueryKey): boolean {
  return Object.keys(filters ?? {}).every((name) => name === 'timeZone');
}
