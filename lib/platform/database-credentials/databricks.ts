import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { LakebaseSettings } from '@/lib/config/databricks-settings';
import type { DatabaseCredentials } from './port';

/** The one call that is made; `lib/databricks` brings OAuth, time-outs and retries. */
export interface CredentialApi {
  json(request: {
    readonly method: 'POST';
    readonly path: string;
    readonly json: unknown;
    readonly idempotent: true;
  }): Promise<unknown>;
}

/** Autoscaling says `expire_time`, provisioned instances say `expiration_time`. */
const Credential = z
  .object({
    token: z.string().min(1),
    expire_time: z.string().optional(),
    expiration_time: z.string().optional(),
  })
  .transform(({ token, expire_time, expiration_time }) => ({
    token,
    expiresAt: Date.parse(expire_time ?? expiration_time ?? ''),
  }));

/** A token is asked for anew so long before it ends, or at three quarters of a shorter life. */
const MARGIN_MS = 120_000;

/**
 * Lakebase: the password is a token that lives an hour at most and is looked at when a connection is made, never
 * later. Not by `@databricks/lakebase`: see docs/decisions on database credentials.
 * @param now milliseconds of a clock; what counts is how long a token lives, not what time it is
 */
export function createLakebaseCredentials(
  api: CredentialApi,
  lakebase: LakebaseSettings,
  now: () => number = Date.now,
): DatabaseCredentials {
  let kept: { readonly token: string; readonly until: number } | undefined;
  let asking: Promise<string> | undefined;

  const ask = async (): Promise<string> => {
    const askedAt = now();
    const { token, expiresAt } = await fetchCredential(api, lakebase);
    const lifeMs = expiresAt - askedAt;
    // Without a time that makes sense it is used for those who wait for it now, and not kept.
    const until = lifeMs > 0 ? expiresAt - Math.min(MARGIN_MS, lifeMs / 4) : askedAt;
    kept = { token, until };
    return token;
  };

  return {
    url: lakebaseUrl(lakebase),
    password: () => {
      if (kept && now() < kept.until) return Promise.resolve(kept.token);
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    onRefused: (password) => {
      if (kept?.token === password) kept = undefined;
    },
  };
}

/** Address without a password. `verify-full`: the certificate must be valid and for this very host. */
export function lakebaseUrl({ host, port, database, user, tls }: LakebaseSettings): string {
  const url = new URL(`postgres://${host}:${port}/${encodeURIComponent(database)}`);
  url.username = encodeURIComponent(user);
  url.searchParams.set('sslmode', tls ? 'verify-full' : 'disable');
  return url.href;
}

async function fetchCredential(api: CredentialApi, { endpoint, instance }: LakebaseSettings) {
  const [path, json] = instance
    ? ['/api/2.0/database/credentials', { instance_names: [instance], request_id: randomUUID() }]
    : ['/api/2.0/postgres/credentials', { endpoint }];
  const answer = await api.json({ method: 'POST', path, json, idempotent: true });
  const credential = Credential.safeParse(answer);
  if (credential.success) return credential.data;
  throw new Error(
    `POST ${path} answered without a token: is ${endpoint ?? instance} the path of a database?`,
  );
}
