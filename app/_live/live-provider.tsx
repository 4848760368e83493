'use client';

import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '@/lib/api-client/api-error';
import { createChangeSink } from './apply-changes';
import { listenToEvents } from './event-stream';
import { decideFreshness, type Freshness } from './freshness';

interface Live {
  readonly freshness: Freshness;
  /** Fetches everything on screen again. */
  readonly refresh: () => Promise<void>;
}

const LiveContext = createContext<Live>({ freshness: { state: 'connecting' }, refresh: async () => {} });

/** Whether what is on screen is the truth of now. */
export function useLive(): Live {
  return use(LiveContext);
}

const TICK_MS = 1_000;

/** The page's one connection to the event stream, and the judgement how fresh the page is. */
export function LiveProvider({ pollSeconds, children }: { pollSeconds: number; children: ReactNode }) {
  const client = useQueryClient();
  const [freshness, setFreshness] = useState<Freshness>({ state: 'connecting' });
  const pollMs = pollSeconds * 1000;
  const signs = useRef({
    openedAt: 0,
    lastEventAt: null as number | null,
    lastAnswerAt: 0,
    lastFailureAt: null as number | null,
    pollMs,
  });

  useEffect(() => {
    const seen = signs.current;
    seen.openedAt = seen.lastAnswerAt = Date.now();
    const judge = () => {
      const next = decideFreshness(seen, Date.now());
      setFreshness((old) => (old.state === next.state ? old : next));
    };
    const sink = createChangeSink(client);
    const stop = listenToEvents('/api/v1/events', {
      onChange: sink.change,
      onResync: sink.resync,
      onSign: () => {
        seen.lastEventAt = seen.lastAnswerAt = Date.now();
        judge();
      },
    });
    const unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      const { action } = event;
      if (action.type === 'success' && !action.manual) seen.lastAnswerAt = Date.now();
      if ((action.type === 'failed' || action.type === 'error') && gotNoAnswer(action.error)) {
        seen.lastFailureAt = Date.now();
      }
    });
    const pulse = createPulse(seen);
    const timer = setInterval(() => {
      pulse();
      judge();
    }, TICK_MS);
    return () => {
      stop();
      sink.stop();
      unsubscribe();
      clearInterval(timer);
    };
  }, [client]);

  const refresh = useCallback(() => client.invalidateQueries(), [client]);
  const live = useMemo(() => ({ freshness, refresh }), [freshness, refresh]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** A refusal is an answer too; silence and a broken proxy are not. */
function gotNoAnswer(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** On a page without a query nothing else would show that the server still answers: ask, once per poll. */
function createPulse(seen: {
  lastAnswerAt: number;
  lastFailureAt: number | null;
  readonly pollMs: number;
}): () => void {
  let lastAskedAt = 0;
  return () => {
    const now = Date.now();
    if (document.hidden || now - Math.max(seen.lastAnswerAt, lastAskedAt) < seen.pollMs) return;
    lastAskedAt = now;
    fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(seen.pollMs) })
      .then((answer) => {
        if (answer.ok) seen.lastAnswerAt = Date.now();
      })
      .catch(() => {
        seen.lastFailureAt = Date.now();
      });
  };
}
