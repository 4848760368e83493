'use client';

import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Button } from '../_ui/button';
import { cn } from '../_ui/cn';
import { formatClock } from '../_ui/format/instant';
import { useTimeZone } from '../_ui/viewer';
import type { Freshness } from './freshness';
import { useLive } from './live-provider';

/** ● live · ◐ polling · ○ stale since 14:02. A click explains and offers a refresh. */
export function LiveIndicator({ pollSeconds }: { readonly pollSeconds: number }) {
  const { freshness, refresh } = useLive();
  const [refreshing, setRefreshing] = useState(false);
  const zone = useTimeZone();
  const word = wordFor(freshness, zone);
  const refreshNow = async () => {
    setRefreshing(true);
    await refresh();
    setRefreshing(false);
  };
  return (
    <>
      <span role="status" className="sr-only">
        {freshness.state === 'connecting' ? '' : `Data is ${word}`}
      </span>
      <Popover.Root>
        <Popover.Trigger asChild>
          <Button variant="ghost" size="sm" className="font-normal text-muted" title="How fresh this page is">
            <Dot state={freshness.state} />
            {word}
          </Button>
        </Popover.Trigger>
        <Popover.Content
          aria-label="How fresh this page is"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 w-72 animate-appear rounded-md border border-line bg-surface p-4 shadow-float"
        >
          <p className="text-sm">{explain(freshness, pollSeconds, zone)}</p>
          <Button size="sm" className="mt-3" disabled={refreshing} onClick={refreshNow}>
            {refreshing ? 'Refreshing' : 'Refresh now'}
          </Button>
        </Popover.Content>
      </Popover.Root>
    </>
  );
}

function Dot({ state }: { readonly state: Freshness['state'] }) {
  return (
    <span
      aria-hidden
      className={cn(
        'size-2 rounded-full border-[1.5px]',
        state === 'live' && 'border-accent bg-accent',
        state === 'polling' && 'border-accent bg-[linear-gradient(90deg,var(--accent)_50%,transparent_50%)]',
        state === 'stale' && 'border-failed',
        state === 'connecting' && 'border-line-strong',
      )}
    />
  );
}

function wordFor(freshness: Freshness, zone: string): string {
  switch (freshness.state) {
    case 'connecting':
      return 'connecting';
    case 'live':
      return 'live';
    case 'polling':
      return 'polling';
    case 'stale':
      return `stale since ${formatClock(new Date(freshness.since).toISOString(), zone, 'minute')}`;
  }
}

function explain(freshness: Freshness, pollSeconds: number, zone: string): string {
  switch (freshness.state) {
    case 'connecting':
      return 'The page is connecting to the event stream, and fetches what it shows.';
    case 'live':
      return `Changes arrive within about a second. Besides, the page fetches everything every ${pollSeconds} s.`;
    case 'polling':
      return `The event stream is silent, so changes arrive with the poll, every ${pollSeconds} s. The stream is tried again by itself.`;
    case 'stale':
      return `The server has not answered since ${formatClock(new Date(freshness.since).toISOString(), zone, 'second')}. What you see may be out of date. Nothing that runs is affected; the page tries again by itself.`;
  }
}
