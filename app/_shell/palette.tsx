'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import {
  Bookmark,
  CircleX,
  Clock,
  Coins,
  FileText,
  LoaderCircle,
  type LucideIcon,
  Monitor,
  Moon,
  ScanSearch,
  Search,
  Sun,
  Timer,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Dialog } from 'radix-ui';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { fetchJson, queryString } from '@/lib/api-client/fetch-json';
import { viewsQuery } from '@/lib/api-client/queries';
import type { TaskList } from '@/lib/contract/api';
import { ROLES, type Role } from '@/lib/contract/roles';
import { VIEW_PLACES, viewHref } from '../_filters/view-href';
import { MiddleTruncate } from '../_ui/middle-truncate';
import { StatusBadge } from '../_ui/status-badge';
import { useReturnFocus } from '../_ui/use-return-focus';
import { useViewer } from '../_ui/viewer';
import { useOfferedCommands } from './commands';
import { destinationsFor } from './navigation';
import { applyTheme } from './theme-menu';

const THEMES = [
  { theme: 'system', label: 'Follow the system theme', icon: Monitor },
  { theme: 'light', label: 'Light theme', icon: Sun },
  { theme: 'dark', label: 'Dark theme', icon: Moon },
] as const;

const MAX_VIEWS = 8;

/** Questions that are asked often, as addresses. */
const SHORTCUTS: readonly {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly roles: readonly Role[];
}[] = [
  { href: '/tasks?status=failed', label: 'Tasks that failed', icon: CircleX, roles: ROLES },
  { href: '/tasks?status=processing', label: 'Tasks in processing', icon: LoaderCircle, roles: ROLES },
  {
    href: '/tasks?status=enqueued&sort=created',
    label: 'Tasks that have waited longest',
    icon: Clock,
    roles: ROLES,
  },
  { href: '/tasks?sort=-cost', label: 'The dearest tasks', icon: Coins, roles: ['operator', 'admin'] },
  { href: '/tasks?sort=-latency', label: 'The slowest tasks', icon: Timer, roles: ['operator', 'admin'] },
  {
    href: '/tasks?status=completed&sort=confidence',
    label: 'The least sure results',
    icon: ScanSearch,
    roles: ROLES,
  },
];

interface PaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Finds pages, commands and documents by what is typed. */
export function Palette({ open, onOpenChange }: PaletteProps) {
  const [text, setText] = useState('');
  const router = useRouter();
  const { user } = useViewer();
  const returnFocus = useReturnFocus();
  const leave = (act: () => void) => () => {
    onOpenChange(false);
    setText('');
    act();
  };
  const go = (href: string) => leave(() => router.push(href));
  const wanted = text.trim().toLowerCase();
  const pages = destinationsFor(user.role).filter(({ label }) =>
    `go to ${label}`.toLowerCase().includes(wanted),
  );
  const commands = useOfferedCommands().filter(({ label }) => label.toLowerCase().includes(wanted));
  const shortcuts = SHORTCUTS.filter(
    ({ label, roles }) => roles.includes(user.role) && label.toLowerCase().includes(wanted),
  );
  const themes = THEMES.filter(({ label }) => label.toLowerCase().includes(wanted));
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-black/40" />
        <Dialog.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[10vh] z-50 mx-auto max-w-xl animate-rise overflow-hidden rounded-md border border-line bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          {/* The documents are found by the server, so nothing is filtered by letters once more. */}
          <Command label="Search and commands" loop shouldFilter={false}>
            <div className="flex items-center gap-2.5 border-line border-b px-4">
              <Search aria-hidden className="size-4 text-muted" />
              <Command.Input
                value={text}
                onValueChange={setText}
                placeholder="Find a document, a client or a command"
                className="h-11 w-full bg-transparent text-lg outline-none"
              />
            </div>
            <Command.List className="max-h-[min(60vh,26rem)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-6 text-center text-muted">Nothing found.</Command.Empty>
              <Documents text={text} go={go} />
              <Views wanted={wanted} go={go} />
              {pages.length > 0 && (
                <Group heading="Go to">
                  {pages.map(({ href, label, icon: Icon }) => (
                    <Item key={href} value={`page ${label}`} onSelect={go(href)}>
                      <Icon /> {label}
                    </Item>
                  ))}
                </Group>
              )}
              {commands.length > 0 && (
                <Group heading="Here">
                  {commands.map(({ id, label, icon: Icon, run, keys }) => (
                    <Item key={id} value={`here ${id}`} onSelect={leave(run)}>
                      <Icon /> <span className="grow">{label}</span>
                      {keys && (
                        <kbd className="rounded-sm border border-line px-1 font-sans text-muted text-xs">
                          {keys}
                        </kbd>
                      )}
                    </Item>
                  ))}
                </Group>
              )}
              {shortcuts.length > 0 && (
                <Group heading="Look at">
                  {shortcuts.map(({ href, label, icon: Icon }) => (
                    <Item key={href} value={`look ${label}`} onSelect={go(href)}>
                      <Icon /> {label}
                    </Item>
                  ))}
                </Group>
              )}
              {themes.length > 0 && (
                <Group heading="Theme">
                  {themes.map(({ theme, label, icon: Icon }) => (
                    <Item key={theme} value={`theme ${theme}`} onSelect={leave(() => applyTheme(theme))}>
                      <Icon /> {label}
                    </Item>
                  ))}
                </Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Tasks whose file name, client or id matches, once there is enough to go by. */
function Documents({ text, go }: { readonly text: string; readonly go: (href: string) => () => void }) {
  const q = useDeferredValue(text.trim());
  const { data } = useQuery({
    queryKey: ['palette', q],
    queryFn: ({ signal }) => fetchJson<TaskList>(`/api/v1/tasks${queryString({ q, limit: 6 })}`, { signal }),
    enabled: q.length >= 2,
    refetchInterval: false,
    placeholderData: keepPreviousData,
  });
  if (q.length < 2 || !data || data.tasks.length === 0) return null;
  return (
    <Group heading="Documents">
      {data.tasks.map((task) => (
        <Item key={task.id} value={task.id} onSelect={go(`/tasks/${task.id}`)}>
          <FileText />
          <MiddleTruncate text={task.filename ?? task.id} className="grow" />
          <StatusBadge status={task.status} className="text-sm" />
        </Item>
      ))}
      <Item value="all tasks" onSelect={go(`/tasks${queryString({ q })}`)}>
        <Search /> Show all that match “{q}”
      </Item>
    </Group>
  );
}

/** The person's own saved views. */
function Views({ wanted, go }: { readonly wanted: string; readonly go: (href: string) => () => void }) {
  const { data } = useQuery(viewsQuery());
  const views = (data?.views ?? []).flatMap((view) => {
    const label = `${VIEW_PLACES[view.page]?.word}: ${view.name}`;
    const href = viewHref(view);
    return href !== null && `view ${label}`.toLowerCase().includes(wanted) ? [{ ...view, href, label }] : [];
  });
  if (views.length === 0) return null;
  return (
    <Group heading="Saved views">
      {views.slice(0, MAX_VIEWS).map(({ id, href, label }) => (
        <Item key={id} value={`view ${id}`} onSelect={go(href)}>
          <Bookmark /> {label}
        </Item>
      ))}
    </Group>
  );
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  readonly value: string;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Item({ value, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0"
    >
      {children}
    </Command.Item>
  );
}
