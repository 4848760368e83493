import { z } from 'zod';
import type { WorkspaceClient } from './workspace-client';
import { WorkspaceError } from './workspace-error';

/** Somebody whom the workspace knows. */
export interface Principal {
  readonly kind: 'person' | 'service_principal';
  /** E-mail of a person, client id of a service principal; in lower case. */
  readonly name: string;
  readonly displayName: string;
  readonly groups: readonly string[];
}

/** SCIM 2.0: what is not said, such as the groups of somebody in none, is left out. */
const Entry = z.object({
  displayName: z.string().optional(),
  active: z.boolean().optional(),
  groups: z.array(z.object({ display: z.string().optional() })).optional(),
});
const User = Entry.extend({ userName: z.string() });
const ServicePrincipal = Entry.extend({ applicationId: z.string() });

const SCIM = '/api/2.0/preview/scim/v2';

/**
 * Looks up who has a numeric id; `null` for nobody, or somebody who may no longer sign in. Throws `WorkspaceError` where
 * the workspace can't tell, or the app's service principal may not ask.
 */
export async function findPrincipal(
  workspace: Pick<WorkspaceClient, 'json'>,
  id: string,
): Promise<Principal | null> {
  const user = await look(workspace, `${SCIM}/Users/${encodeURIComponent(id)}`);
  if (user !== null) {
    const { userName, ...entry } = User.parse(user);
    return entry.active === false ? null : { kind: 'person', ...named(userName, entry) };
  }
  const principal = await look(workspace, `${SCIM}/ServicePrincipals/${encodeURIComponent(id)}`);
  if (principal === null) return null;
  const { applicationId, ...entry } = ServicePrincipal.parse(principal);
  return entry.active === false ? null : { kind: 'service_principal', ...named(applicationId, entry) };
}

function named(name: string, { displayName, groups }: z.infer<typeof Entry>): Omit<Principal, 'kind'> {
  return {
    name: name.toLowerCase(),
    displayName: displayName || name,
    groups: (groups ?? []).flatMap(({ display }) => (display ? [display] : [])),
  };
}

async function look(workspace: Pick<WorkspaceClient, 'json'>, path: string): Promise<unknown> {
  try {
    // A page waits for it.
    return await workspace.json({
      method: 'GET',
      path,
      idempotent: true,
      timeoutMs: 5_000,
      retryForMs: 5_000,
    });
  } catch (error) {
    if (error instanceof WorkspaceError && error.status === 404) return null;
    throw error;
  }
}
