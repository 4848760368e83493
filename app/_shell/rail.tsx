'use client';

import Link from 'next/link';
import { cn } from '../_ui/cn';
import { useViewer } from '../_ui/viewer';
import { Logo } from './logo';
import { type Destination, destinationsFor, isWithin } from './navigation';
import { useOrigin } from './use-origin';

/** The way to every page, on the left of a desktop. */
export function Rail() {
  const path = useOrigin();
  const destinations = destinationsFor(useViewer().user.role);
  const groups = (['work', 'operation'] as const)
    .map((group) => destinations.filter((destination) => destination.group === group))
    .filter((group) => group.length > 0);
  return (
    <nav
      aria-label="Main"
      data-print="hide"
      className="sticky top-0 hidden h-dvh w-52 shrink-0 flex-col border-line border-e bg-sunken px-3 md:flex"
    >
      <Link
        href="/extractions"
        className="mt-3 mb-4 flex h-8 items-center gap-2 rounded-md px-2 font-semibold tracking-tight"
      >
        <Logo className="size-5 text-accent" />
        Tickmark
      </Link>
      {groups.map((group, index) => (
        <ul
          key={group[0]?.group}
          className={cn('flex flex-col gap-0.5', index > 0 && 'mt-3 border-line border-t pt-3')}
        >
          {group.map((destination) => (
            <li key={destination.href}>
              <RailLink destination={destination} current={isWithin(path, destination.href)} />
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

function RailLink({ destination, current }: { destination: Destination; current: boolean }) {
  const Icon = destination.icon;
  return (
    <Link
      href={destination.href}
      aria-current={current ? 'page' : undefined}
      className={cn(
        'flex h-8 items-center gap-2.5 rounded-md px-2 transition-colors',
        current ? 'bg-accent-soft font-medium text-text' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      <Icon aria-hidden className={cn('size-4', current && 'text-accent')} strokeWidth={1.75} />
      {destination.label}
    </Link>
  );
}
