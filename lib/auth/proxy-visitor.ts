import 'server-only';
import type { Role, SessionUser } from '@/lib/contract/roles';
import type { Principal } from '@/lib/databricks/directory';
import type { Logger } from '@/lib/log';

/** Somebody who came through the proxy of Databricks Apps. */
export interface Visitor {
  readonly user: SessionUser;
  /** A service principal: no browser, so no other site can make it ask for something. */
  readonly isMachine: boolean;
}
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
const UNTOLD_FOR_MS = 30_000;
const ROLE_FOR_MS = 10_000;
const MOST_KNOWN = 5_000;

/**
 * Who a request speaks for by the header that the proxy writes. Only `X-Forwarded-User` is read: it names the caller of
 * the platform's own check. An `X-Forwarded-Email` that a machine sends along may reach the app (not confirmed either
 * way), so the e-mail address is asked of the workspace. Use it where nothing but the proxy can reach the port.
 */
export function createProxyVisitors(deps: VisitorDeps): FindVisitor {
  const now = deps.now ?? Date.now;
  const principals = remembering<Principal | 'untold' | null>(now, (found) =>
    found === 'untold' ? UNTOLD_FOR_MS : KNOWN_FOR_MS,
  );
  const visitors = remembering<Visitor | null>(now, () => ROLE_FOR_MS);

  const look = (id: string) =>
    principals(id, () =>
      deps.findPrincipal(id).catch((err: unknown) => {
        deps.log.warn({ err, id }, 'auth.directory_silent');
        return 'untold' as const;
      }),
    );

  return async (headers) => {
    const id = /^(\d{1,19})(@\d{1,19})?$/.exec(headers.get('x-forwarded-user')?.trim() ?? '')?.[1];
    if (!id) return null;
    return visitors(id, async () => visitorOf(deps, id, await look(id)));
  };
}

async function visitorOf(
  deps: VisitorDeps,
  id: string,
  found: Principal | 'untold' | null,
): Promise<Visitor | null> {
  if (found === null) return null;
  // The workspace does not say who it is: known by number alone, a person until it does.
  const principal: Principal =
    found === 'untold' ? { kind: 'person', name: id, displayName: `User ${id}`, groups: [] } : found;
  const isMachine = principal.kind === 'service_principal';
  const role = await roleOf(deps, id, principal);
  if (!role) return null;
  const name = isMachine ? `sp:${principal.name}` : principal.name;
  return { user: { id: name, name: principal.displayName, role }, isMachine };
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
