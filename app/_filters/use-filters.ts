'use client';

import { useQueryStates } from 'nuqs';
import { useEffect, useMemo, useState } from 'react';
import type { MetricsFilters } from '@/lib/api-client/queries';
import { useTimeZone } from '../_ui/viewer';
import { type FilterValues, filterParsers, filterQuery } from './filters';

const MINUTE_MS = 60_000;

export interface Filters {
  readonly values: FilterValues;
  /** Changes some of them; null takes one away. Each change is a step back for the browser's button. */
  readonly change: (change: { readonly [K in keyof FilterValues]?: FilterValues[K] | null }) => void;
  /** What they mean now: the same object until that changes. */
  readonly query: MetricsFilters;
  /** Milliseconds, on the minute. */
  readonly now: number;
}

/**
 * The filters in the address, and what they mean at this minute.
 * @param renderedAt when the server asked for its figures (ms): the first render asks the same question
 */
export function useFilters(renderedAt: number): Filters {
  const [values, setValues] = useQueryStates(filterParsers, { history: 'push', scroll: false });
  const timeZone = useTimeZone();
  const now = useMinute(renderedAt);
  const query = useMemo(() => ({ ...filterQuery(values, timeZone, now), timeZone }), [values, timeZone, now]);
  return useMemo(
    () => ({ values, query, now, change: (change) => void setValues(change) }),
    [values, query, now, setValues],
  );
}

/**
 * A minute that stays until another question is asked: for lists, which must not begin anew with each minute.
 * @param renderedAt when the server asked (ms)
 */
export function useMomentOf(question: string, renderedAt: number): number {
  const [asked, setAsked] = useState({ question, now: floor(renderedAt) });
  if (asked.question === question) return asked.now;
  const now = floor(Date.now());
  setAsked({ question, now });
  return now;
}

/** The present to the minute. */
function useMinute(start: number): number {
  const [minute, setMinute] = useState(() => floor(start));
  useEffect(() => {
    const look = () => setMinute(floor(Date.now()));
    look();
    const timer = setInterval(look, MINUTE_MS / 6);
    return () => clearInterval(timer);
  }, []);
  return minute;
}

const floor = (at: number) => Math.floor(at / MINUTE_MS) * MINUTE_MS;
