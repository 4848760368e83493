'use client';

import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { useViewer } from '../_ui/viewer';
import type { Freshness } from './freshness';
import { keepLive } from './live-page';

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

/** Keeps what is on screen at the truth, and knows how fresh it is. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const { user } = useViewer();
  const person = `${user.role} ${user.id}`;
  const [freshness, setFreshness] = useState<Freshness>({ state: 'connecting' });
  useEffect(
    () => keepLive(client, person, (next) => setFreshness((old) => (old.state === next.state ? old : next))),
    [client, person],
  );
  const refresh = useCallback(() => client.invalidateQueries(), [client]);
  const live = useMemo(() => ({ freshness, refresh }), [freshness, refresh]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
