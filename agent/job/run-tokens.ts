import { createWorkspaceClient } from '@/lib/databricks/workspace-client';
import { workspaceOrigin } from '@/lib/databricks/workspace-origin';
import type { Logger } from '@/lib/log';
import type { JobEnvironment } from './environment';
import { createTokenExchange } from './exchange-token';

/** Bearer tokens of the run's own identity; each is fresh enough for one call. */
export interface RunTokens {
  /** For the model or the traces; `null` where they are not of this workspace: the token goes nowhere else. */
  forWorkspace(baseUrl: string): Promise<string | null>;
  /** For the proxy in front of the app; `null` when there is none to be had, or the address is not that of an app. */
  forApp(callbackUrl: string): Promise<string | null>;
  close(): Promise<void>;
}

/**
 * Where apps answer (`<app>-<workspace>.<region>.databricksapps.com`, Azure likewise). A callback address comes from a
 * file of the Volume: whoever could write there must not be able to send the token elsewhere.
 */
const APP_HOSTS = /\.databricksapps\.(com|us)$/;

/**
 * As a service principal (client credentials, the documented way) where the job has one; else with the token that the
 * platform gives a run. Without either there are no tokens, and the answer waits in the outbox.
 */
export function createRunTokens(env: JobEnvironment, log: Logger): RunTokens {
  const { DATABRICKS_HOST: host, DATABRICKS_CLIENT_ID: id, DATABRICKS_CLIENT_SECRET: secret } = env;
  const source = host === undefined ? null : identity(host, id, secret, env.DATABRICKS_TOKEN, log);
  if (source === null) log.warn('job.no_identity');
  let complained = false;
  const forApp = async () => {
    try {
      return (await source?.oauth()) ?? null;
    } catch (err) {
      // Once: each report tries anew, and the reconciler finds the outbox without any of them.
      if (!complained) log.warn({ err }, 'job.no_token_for_app');
      complained = true;
      return null;
    }
  };
  return {
    async forWorkspace(baseUrl) {
      if (source === null) return null;
      if (URL.parse(baseUrl)?.origin === source.origin) return source.any();
      log.error({ baseUrl, workspace: source.origin }, 'job.token_for_another_host');
      return null;
    },
    async forApp(callbackUrl) {
      if (isApp(callbackUrl, env.TICKMARK_URL)) return forApp();
      if (!complained) log.warn({ callbackUrl }, 'job.callback_to_another_host');
      complained = true;
      return null;
    },
    close: async () => source?.close(),
  };
}

interface Identity {
  readonly origin: string;
  /** Any token that the REST API takes. */
  any(): Promise<string>;
  oauth(): Promise<string>;
  close(): Promise<void>;
}

function identity(
  host: string,
  clientId: string | undefined,
  clientSecret: string | undefined,
  ownToken: string | undefined,
  log: Logger,
): Identity | null {
  if (clientId && clientSecret) {
    const client = createWorkspaceClient({ host, clientId, clientSecret, log });
    const token = () => client.token();
    return { origin: client.origin, any: token, oauth: token, close: () => client.close() };
  }
  if (!ownToken) return null;
  const origin = workspaceOrigin(host);
  return {
    origin,
    any: async () => ownToken,
    oauth: createTokenExchange(origin, ownToken),
    close: async () => {},
  };
}

function isApp(callbackUrl: string, allowed: string | undefined): boolean {
  const url = new URL(callbackUrl);
  if (allowed && url.origin === new URL(allowed).origin) return true;
  return url.protocol === 'https:' && APP_HOSTS.test(url.hostname);
}
