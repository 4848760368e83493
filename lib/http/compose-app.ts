import 'server-only';
import { findAppRole } from '@/lib/auth/app-roles';
import { createProxyVisitors, type FindVisitor } from '@/lib/auth/proxy-visitor';
import { authSettings } from '@/lib/auth/settings';
import { config as readConfig } from '@/lib/config/config';
import type { Config } from '@/lib/config/schema';
import { findPrincipal } from '@/lib/databricks/directory';
import { workspaceOf } from '@/lib/databricks/workspace-of';
import type { Db } from '@/lib/db/client';
import { listen } from '@/lib/db/listen';
import { createLiveHub } from '@/lib/live/hub';
import { createLogger, type Logger } from '@/lib/log';
import { createCallbackGroups } from '@/lib/queue/callback-groups';
import { createBillingSource, createRuntime } from '@/lib/runtime';
import { priceUsages } from '@/lib/usage/price';
import type { AppRuntime } from './app-runtime';

/** Composes the app process. Throws as `createRuntime` does. */
export async function composeApp(): Promise<AppRuntime> {
  const config = readConfig();
  const log = createLogger('app', config.logLevel);
  const { db, documents, secrets, credentials, home } = await createRuntime(config, {
    name: 'tickmark app',
    log,
  });
  const live = createLiveHub({
    db,
    log,
    listen: (hooks) => listen({ database: credentials, applicationName: 'tickmark app listen', ...hooks }),
  });
  // Next's server stops once its last answer is sent, and a stream never is.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void live.close());
  const auth = authSettings(config, secrets.authSecret, visitorsOf(config, db, log));
  const callbacks = createCallbackGroups({
    db,
    hooks: { priceUsages },
    onGroupFailed: (err, size) => log.warn({ err, size }, 'callbacks.tried_singly'),
  });
  return {
    config,
    auth,
    webhookSecret: secrets.webhookSecret,
    callbacks,
    db,
    documents,
    home,
    live,
    billing: createBillingSource(config, log),
    log,
  };
}

function visitorsOf({ databricks }: Config, db: Db, log: Logger): FindVisitor | undefined {
  if (!databricks) return undefined;
  const workspace = workspaceOf(databricks, log);
  return createProxyVisitors({
    findPrincipal: (id) => findPrincipal(workspace, id),
    findRole: (names) => findAppRole(db, names),
    admins: databricks.admins,
    adminGroups: databricks.adminGroups,
    operatorGroups: databricks.operatorGroups,
    log,
  });
}
