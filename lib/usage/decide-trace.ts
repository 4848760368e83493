import type { TraceReading } from '@/lib/platform/trace-source/port';
import type { DueTrace } from './traces-due';

/** What a reading of a trace means: read it again later, or its end. */
export type TraceVerdict =
  | { readonly kind: 'again'; readonly seconds: number; readonly isWhole: boolean }
  | { readonly kind: 'done'; readonly status: 'complete' | 'incomplete' | 'missing' };

/** Parts of a trace may be late: exports are tried again, and some stores show what was written only after a while. */
const GIVE_UP_SECONDS = 6 * 3_600;
/** Where the run itself says that it could not send all, or was killed before it could. */
const GIVE_UP_SOON_SECONDS = 600;
const SOONEST_SECONDS = 2;
const LATEST_SECONDS = 900;
/** Runs in flight are looked at less often the longer they have been going on. */
const LATEST_IN_FLIGHT_SECONDS = 30;

/** What is there can't be read, and reading it again would change nothing. */
export const UNREADABLE_FOR_GOOD = { kind: 'unreadable' } as const;

/**
 * What to do after a reading. A trace is whole when its root has arrived and holds all calls that the run says it made. One
 * that is whole while its attempt goes on (the last report is still under way) is looked at again, to be compared with that.
 */
export function decideTrace(
  due: Pick<DueTrace, 'runSeconds' | 'overSeconds' | 'wasExported'>,
  reading: TraceReading | typeof UNREADABLE_FOR_GOOD,
): TraceVerdict {
  const isWhole =
    reading.kind === 'found' &&
    reading.isEnded &&
    (reading.expectedCalls === null || reading.calls.length >= reading.expectedCalls);
  if (due.overSeconds === null) {
    if (reading.kind === 'unreadable') return { kind: 'again', seconds: LATEST_IN_FLIGHT_SECONDS, isWhole };
    const seconds = isWhole ? SOONEST_SECONDS : SOONEST_SECONDS + due.runSeconds / 10;
    return { kind: 'again', seconds: Math.min(seconds, LATEST_IN_FLIGHT_SECONDS), isWhole };
  }
  if (isWhole) return { kind: 'done', status: 'complete' };
  if (reading.kind === 'unreadable') return { kind: 'done', status: 'incomplete' };
  const giveUp = due.wasExported === false ? GIVE_UP_SOON_SECONDS : GIVE_UP_SECONDS;
  if (due.overSeconds >= giveUp) {
    return { kind: 'done', status: reading.kind === 'found' ? 'incomplete' : 'missing' };
  }
  // Ever rarer: each wait is half of what has gone by.
  const seconds = Math.min(Math.max(due.overSeconds / 2, SOONEST_SECONDS), LATEST_SECONDS);
  return { kind: 'again', seconds, isWhole };
}
