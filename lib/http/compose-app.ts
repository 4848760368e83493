import 'server-only';
import { authSettings } from '@/lib/auth/settings';
import { config as readConfig } from '@/lib/config/config';
import { listen } from '@/lib/db/listen';
import { createLiveHub } from '@/lib/live/hub';
import { createLogger } from '@/lib/log';
import { createCallbackGroups } from '@/lib/queue/callback-groups';
import { createBillingSource, createRuntime } from '@/lib/runtime';
import { priceUsages } from '@/lib/usage/price';
import type { AppRuntime } from './app-runtime';

/** Composes the app process. Throws as `createRuntime` does. */
export async function composeApp(): Promise<AppRuntime> {
  const config = readConfig();
  const log = createLogger('app', config.logLevel);
  const { db, documents, secrets, credentials } = await createRuntime(config, { name: 'tickmark app', log });
  const live = createLiveHub({
    db,
    log,
    listen: (hooks) => listen({ database: credentials, applicationName: 'tickmark app listen', ...hooks }),
  });
  // Next's server stops once its last answer is sent, and a stream never is.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void live.close());
  const auth = authSettings(config, secrets.authSecret);
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
    live,
    billing: createBillingSource(config, log),
    log,
  };
}
