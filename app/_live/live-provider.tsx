'use client';

import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { useViewer } from '../_ui/viewer';
import type { Freshness } from './freshness';

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

/** Code that did not come is asked for again. */
const AGAIN_MS = 3_000;

/** Keeps what is on screen at the truth, and knows how fresh it is. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const { user } = useViewer();
  const person = `${user.role} ${user.id}`;
  const [freshness, setFreshness] = useState<Freshness>({ state: 'connecting' });
  useEffect(() => {
    let stop = () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    // Comes after the page, which has its data already and polls meanwhile; as often as it takes.
    const begin = () => {
      import('./live-page').then(
        ({ keepLive }) => {
          if (gone) return;
          stop = keepLive(client, person, (next) =>
            setFreshness((old) => (old.state === next.state ? old : next)),
          );
        },
        () => {
          if (!gone) timer = setTimeout(begin, AGAIN_MS);
        },
      );
    };
    begin();
    return () => {
      gone = true;
      clearTimeout(timer);
      stop();
    };
  }, [client, person]);
  const refresh = useCallback(() => client.invalidateQueries(), [client]);
  const live = useMemo(() => ({ freshness, refresh }), [freshness, refresh]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
