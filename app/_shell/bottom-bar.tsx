'use client';

import { Ellipsis, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import { cn } from '../_ui/cn';
import { Menu, MenuItem } from '../_ui/menu';
import { useViewer } from '../_ui/viewer';
import { type Destination, destinationsFor, isWithin } from './navigation';
import { useOrigin } from './use-origin';

/** A fifth place is the way to the rest. */
const PLACES = 4;

/** The way to every page in thumb's reach on a phone: the role's four, and the rest behind one more. */
export function BottomBar() {
  const path = useOrigin();
  const all = destinationsFor(useViewer().user.role);
  const [shown, rest] = [all.slice(0, PLACES), all.slice(PLACES)];
  return (
    <nav
      aria-label="Main"
      data-print="hide"
      className="fixed inset-x-0 bottom-0 z-30 flex border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {shown.map((destination) => {
        const current = isWithin(path, destination.href);
        return (
          <Link
            key={destination.href}
            href={destination.href}
            aria-current={current ? 'page' : undefined}
            className={placeClass(current)}
          >
            <Place icon={destination.icon} label={destination.label} />
          </Link>
        );
      })}
      {rest.length > 0 && <More rest={rest} path={path} />}
    </nav>
  );
}

function More({ rest, path }: { readonly rest: readonly Destination[]; readonly path: string }) {
  const within = rest.some(({ href }) => isWithin(path, href));
  return (
    <Menu
      trigger={
        <button type="button" className={placeClass(within)}>
          <Place icon={Ellipsis} label="More" />
        </button>
      }
    >
      {rest.map(({ href, label, icon: Icon }) => (
        <MenuItem key={href} asChild>
          <Link href={href} aria-current={isWithin(path, href) ? 'page' : undefined}>
            <Icon aria-hidden /> {label}
          </Link>
        </MenuItem>
      ))}
    </Menu>
  );
}

function placeClass(current: boolean): string {
  return cn(
    'flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-xs',
    current ? 'font-medium text-accent' : 'text-muted',
  );
}

function Place({ icon: Icon, label }: { readonly icon: LucideIcon; readonly label: string }) {
  return (
    <>
      <Icon aria-hidden className="size-5" strokeWidth={1.75} />
      {label}
    </>
  );
}
