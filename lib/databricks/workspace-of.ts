import type { DatabricksSettings } from '@/lib/config/databricks-settings';
import type { Logger } from '@/lib/log';
import { createWorkspaceClient, type WorkspaceClient } from './workspace-client';

const shared = globalThis as typeof globalThis & { tickmarkWorkspaces?: Map<string, WorkspaceClient> };

/** The one client of this process for a workspace: its token, its connections and its rate limits are shared by all. */
export function workspaceOf(
  { host, clientId, clientSecret }: DatabricksSettings,
  log: Logger,
): WorkspaceClient {
  shared.tickmarkWorkspaces ??= new Map();
  const key = `${host} ${clientId}`;
  const existing = shared.tickmarkWorkspaces.get(key);
  if (existing) return existing;
  const made = createWorkspaceClient({ host, clientId, clientSecret, log });
  shared.tickmarkWorkspaces.set(key, made);
  return made;
}
