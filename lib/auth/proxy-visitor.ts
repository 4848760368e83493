import 'server-only';
import type { Role, SessionUser } from '@/lib/contract/roles';
import type { Principal } from '@/lib/databricks/directory';
import { DomainError } from '@/lib/errors';
import type { Logger } from '@/lib/log';

/** Somebody who came through the proxy of Databricks Apps. */
export interface Visitor {
  readonly user: SessionUser;
  /** A service principal: no browser, so no other site can make it ask for something. */
  readonly isMachine: boolean;
}
/** `null` for a stranger. Throws `unavailable` for somebody of whom it can't be told now. */
export type FindVisitor = (headers: Headers) => Promise<Visitor | null>;

export interface VisitorDeps {
  /** Who has a numeric id; throws when the workspace does not tell. */
  readonly findPrincipal: (id: string) => Promise<Principal | null>;
  /** The role that was set for one of these names, the strongest of several. */
  readonly findRole: (names: readonly string[]) => Promise<Role | null>;
  readonly admins: readonly string[];
  readonly adminGroups: readonly string[];
  readonly operatorGroups: readonly string[];
  readonly log: Pick<Logger, 'warn'>;
  readonly now?: () => number;
}

const KNOWN_FOR_MS = 5 * 60_000;
/** While the workspace does not tell, who was known before is so for this long. */
const KEPT_FOR_MS = 30 * 60_000;
const UNTOLD_FOR_MS = 10_000;
const ROLE_FOR_MS = 10_000;
const MOST_KNOWN = 5_000;

/**
 * Who a request speaks for by the header that the proxy writes. Only `X-Forwarded-User` is read: it names the caller of
 * the platform's own check. An `X-Forwarded-Email` that a machine sends along may reach the app (not confirmed either
 * way), so the e-mail address is asked of the workspace. Use it where nothing but the proxy can reach the port.
 */
export function createProxyVisitors(deps: VisitorDeps): FindVisitor {
  const now = deps.now ?? Date.now;
  const principals = remembering<Found>(now, ({ isFresh }) => (isFresh ? KNOWN_FOR_MS : UNTOLD_FOR_MS));
  const visitors = remembering<Visitor | null>(now, () => ROLE_FOR_MS);
  const last = new Map<string, { readonly principal: Principal; readonly until: number }>();

  const ask = async (id: string): Promise<Found> => {
    try {
      const principal = await deps.findPrincipal(id);
      if (last.size >= MOST_KNOWN) last.clear();
      if (principal) last.set(id, { principal, until: now() + KEPT_FOR_MS });
      else last.delete(id);
      return { isFresh: true, principal };
    } catch (err) {
      deps.log.warn({ err, id }, 'auth.directory_silent');
      const kept = last.get(id);
      return { isFresh: false, principal: kept && now() < kept.until ? kept.principal : 'untold' };
    }
  };

  return async (headers) => {
    const id = /^(\d{1,19})(@\d{1,19})?$/.exec(headers.get('x-forwarded-user')?.trim() ?? '')?.[1];
    if (!id) return null;
    return visitors(id, async () => visitorOf(deps, id, (await principals(id, () => ask(id))).principal));
  };
}

interface Found {
  /** As the workspace says now. */
  readonly isFresh: boolean;
  readonly principal: Principal | 'untold' | null;
}

async function visitorOf(deps: VisitorDeps, id: string, found: Found['principal']): Promise<Visitor | null> {
  if (found === null) return null;
  if (found === 'untold') return numbered(deps, id);
  const isMachine = found.kind === 'service_principal';
  const role = await roleOf(deps, id, found);
  if (!role) return null;
  const name = isMachine ? `sp:${found.name}` : found.name;
  return { user: { id: name, name: found.displayName, role }, isMachine };
}

/**
 * The workspace does not say who it is, a person or a service principal: only a role that was given to the very number
 * counts. Asked like a browser, from this site alone.
 */
async function numbered(deps: VisitorDeps, id: string): Promise<Visitor> {
  const role = deps.admins.includes(id) ? 'admin' : await deps.findRole([id]);
  if (!role) {
    throw new DomainError(
      'unavailable',
      'The workspace does not say who you are just now, so nothing is shown. Try again in a moment; if it stays so, ask an admin of this app whether its service principal may read users of the workspace (SCIM).',
    );
  }
  return { user: { id, name: `User ${id}`, role }, isMachine: false };
}

/** A machine has no role unless it is given one; a person whom the app was shared with is an auditor. */
async function roleOf(
  deps: VisitorDeps,
  id: string,
  { kind, name, groups }: Principal,
): Promise<Role | null> {
  const isIn = (list: readonly string[]) => groups.some((group) => list.includes(group));
  if (deps.admins.some((admin) => [name, id].includes(admin.toLowerCase())) || isIn(deps.adminGroups)) {
    return 'admin';
  }
  const set = await deps.findRole([name, id]);
  if (set) return set;
  if (isIn(deps.operatorGroups)) return 'operator';
  return kind === 'person' ? 'auditor' : null;
}

/** Remembers answers for a while, one look at a time for each key. An error is nobody's answer. */
function remembering<T>(now: () => number, lifeMs: (value: T) => number) {
  const known = new Map<string, { readonly until: number; readonly value: T }>();
  const asking = new Map<string, Promise<T>>();
  return (key: string, ask: () => Promise<T>): Promise<T> => {
    const kept = known.get(key);
    if (kept && now() < kept.until) return Promise.resolve(kept.value);
    const running = asking.get(key);
    if (running) return running;
    const started = ask()
      .then((value) => {
        if (known.size >= MOST_KNOWN) known.clear();
        known.set(key, { value, until: now() + lifeMs(value) });
        return value;
      })
      .finally(() => asking.delete(key));
    asking.set(key, started);
    return started;
  };
}
