'use client';

import { createContext, type ReactNode, use, useSyncExternalStore } from 'react';
import type { SessionUser } from '@/lib/contract/roles';

export interface Viewer {
  readonly user: SessionUser;
  /** What the browser last said, kept in a cookie: the server can then write local time at once. */
  readonly timeZone: string;
  /** When the server rendered the page: decides whether a year is shown, the same on both sides. */
  readonly renderedAt: string;
  /** What agents are called, by id. */
  readonly agentNames: Readonly<Record<string, string>>;
}

const ViewerContext = createContext<Viewer | null>(null);

export function ViewerProvider({
  viewer,
  children,
}: {
  readonly viewer: Viewer;
  readonly children: ReactNode;
}) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
}

/** Who looks at the page, and from where. */
export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (!viewer) throw new Error('useViewer outside of ViewerProvider');
  return viewer;
}

const never = () => () => {};
const zoneOfBrowser = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The time zone to show: the server's knowledge during hydration, the browser's own right after. */
export function useTimeZone(): string {
  const { timeZone } = useViewer();
  return useSyncExternalStore(never, zoneOfBrowser, () => timeZone);
}

/** Calls an agent by its name; one that came after the page was rendered by its id. */
export function useAgentName(): (id: string) => string {
  const { agentNames } = useViewer();
  return (id) => (Object.hasOwn(agentNames, id) ? agentNames[id] : undefined) ?? id;
}
