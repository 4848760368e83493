import 'server-only';
import { missingRole } from '@/lib/contract/missing-role';
import type { Role, SessionUser } from '@/lib/contract/roles';
import { DomainError } from '@/lib/errors';

const EVERYONE: readonly Role[] = ['auditor', 'operator', 'admin'];
const OPERATION: readonly Role[] = ['operator', 'admin'];

/** Which role may do what: the one table, enforced by `withRoute` and `requireUser`. */
const MAY = {
  'extraction.create': EVERYONE,
  'extraction.read': EVERYONE,
  'task.read': EVERYONE,
  'document.read': EVERYONE,
  'result.export': EVERYONE,
  'agent.read': EVERYONE,
  'metrics.read': EVERYONE,
  'events.read': EVERYONE,
  'contract.read': EVERYONE,
  'view.own': EVERYONE,
  'task.cancel': OPERATION,
  'task.retry': OPERATION,
  'task.prioritise': OPERATION,
  'task.bulk': OPERATION,
  'agent.update': OPERATION,
  'health.read': OPERATION,
  'process.metrics': OPERATION,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof MAY;

/** Whether a role may do something. */
export function may(role: Role, permission: Permission): boolean {
  return (MAY[permission] as readonly Role[]).includes(role);
}

/** Throws `forbidden` with words that say which role is needed. */
export function demand(user: SessionUser, permission: Permission): void {
  if (may(user.role, permission)) return;
  throw new DomainError('forbidden', missingRole(MAY[permission], user.role));
}

/**
 * The clients whose work a person may see; `null` = all. Every read model and the live stream take it, so that a
 * narrower scope is decided here and nowhere else.
 */
export type ClientScope = readonly string[] | null;

/** Nobody is restricted to clients yet. */
export function clientScope(_user: SessionUser): ClientScope {
  return null;
}
