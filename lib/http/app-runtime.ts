import 'server-only';
import type { AuthSettings } from '@/lib/auth/settings';
import type { Config } from '@/lib/config/schema';
import type { Db } from '@/lib/db/client';
import type { LiveHub } from '@/lib/live/hub';
import type { Logger } from '@/lib/log';
import type { BillingSource } from '@/lib/platform/billing-source/port';
import type { DocumentStore } from '@/lib/platform/document-store/port';
import type { CallbackGroups } from '@/lib/queue/callback-groups';
import type { Home } from '@/lib/queue/home';

/** What pages and routes work with: one per process. */
export interface AppRuntime {
  readonly config: Config;
  readonly auth: AuthSettings;
  readonly webhookSecret: string;
  /** Callbacks that arrive together share a transaction: one for the process. */
  readonly callbacks: CallbackGroups;
  readonly db: Db;
  readonly documents: DocumentStore;
  readonly home: Home;
  readonly live: LiveHub;
  readonly billing: BillingSource;
  readonly log: Logger;
}

/** Next loads a module once per bundle and again on reload; a process must have one pool and one listener all the same. */
const slot = globalThis as typeof globalThis & { tickmarkApp?: Promise<AppRuntime> };

/**
 * This process's runtime, made at the first request, so that a build needs no settings and no database. After a
 * failure (the database is not there yet) the next request tries again.
 */
export function appRuntime(): Promise<AppRuntime> {
  slot.tickmarkApp ??= import('./compose-app')
    .then(({ composeApp }) => composeApp())
    .catch((error) => {
      slot.tickmarkApp = undefined;
      throw error;
    });
  return slot.tickmarkApp;
}

/** Puts a runtime in place of the process's own: for tests. */
export function setAppRuntime(runtime: AppRuntime): void {
  slot.tickmarkApp = Promise.resolve(runtime);
}
