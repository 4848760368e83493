import { Activity, Bot, FileStack, HeartPulse, LayoutList, type LucideIcon, Upload } from 'lucide-react';
import type { Role } from '@/lib/contract/roles';

export interface Destination {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly group: 'work' | 'operation';
  readonly roles: readonly Role[];
}

const EVERYONE: readonly Role[] = ['auditor', 'operator', 'admin'];
const OPERATION: readonly Role[] = ['operator', 'admin'];

/** Every page of the rail, in its order; only pages that exist. */
const DESTINATIONS: readonly Destination[] = [
  { href: '/submit', label: 'Submit', icon: Upload, group: 'work', roles: EVERYONE },
  { href: '/extractions', label: 'Extractions', icon: FileStack, group: 'work', roles: EVERYONE },
  { href: '/', label: 'Overview', icon: Activity, group: 'operation', roles: OPERATION },
  { href: '/tasks', label: 'Tasks', icon: LayoutList, group: 'operation', roles: EVERYONE },
  { href: '/agents', label: 'Agents', icon: Bot, group: 'operation', roles: OPERATION },
  { href: '/health', label: 'Health', icon: HeartPulse, group: 'operation', roles: OPERATION },
];

/** What a role may open. */
export function destinationsFor(role: Role): readonly Destination[] {
  return DESTINATIONS.filter((destination) => destination.roles.includes(role));
}

/** Whether a path lies at or below a destination. */
export function isWithin(path: string, href: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}

/** The path whose destination is lit: a task that is opened from its extraction stays among the extractions. */
export function originOf(path: string, before: string): string {
  return path.startsWith('/tasks/') && isWithin(before, '/extractions') ? before : path;
}
