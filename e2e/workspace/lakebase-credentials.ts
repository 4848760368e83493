import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { type Principal, requireGrant } from './identities';
import { invalid, missing } from './refusal';
import { answer, type Env, readBody } from './requests';

/**
 * Database passwords of Lakebase Autoscaling: minted for one endpoint, good for at most an hour, looked at when a session
 * logs in and never again [https://docs.databricks.com/api/postgres/v1/generate-database-credential.md,
 * https://docs.databricks.com/aws/en/oltp/projects/authentication].
 */
export interface CredentialSettings {
  /** Lifetime of the next passwords in seconds; the platform gives 3600. */
  databaseTokenSeconds: number;
}

export interface DatabaseTokens {
  /** Whether a password opens a session for a role now. */
  accepts(role: string, password: string): boolean;
  /** Ends all passwords before their time. Sessions that are open stay. */
  revoke(): void;
  /** How many were given. */
  readonly given: number;
}

const CredentialBody = z
  .strictObject({
    endpoint: z.string(),
    ttl: z
      .string()
      .regex(/^\d{1,5}s$/)
      .transform((text) => Number.parseInt(text, 10))
      .pipe(z.number().min(300).max(3600))
      .optional(),
    expire_time: z.iso.datetime().optional(),
  })
  .refine(({ ttl, expire_time }) => ttl === undefined || expire_time === undefined, {
    error: 'takes ttl or expire_time, not both',
  });

const ENDPOINT =
  /^projects\/[a-z][a-z0-9-]{0,62}\/branches\/[a-z][a-z0-9-]{0,62}\/endpoints\/[a-z][a-z0-9-]{0,62}$/;

export function credentialRoutes(
  endpoint: string,
  settings: CredentialSettings,
  now: () => number,
): { routes: Hono<Env>; tokens: DatabaseTokens } {
  const held = new Map<string, { readonly principal: Principal; readonly expiresAt: number }>();
  let given = 0;
  const routes = new Hono<Env>();
  routes.post('/api/2.0/postgres/credentials', async (c) => {
    const body = await readBody(c, CredentialBody);
    if (!ENDPOINT.test(body.endpoint)) throw invalid(`Not the path of an endpoint: ${body.endpoint}`);
    const caller = c.get('token');
    requireGrant(caller, 'project:CAN_CONNECT_AND_CREATE', 'postgres', 'the project');
    if (body.endpoint !== endpoint) throw missing(`Endpoint ${body.endpoint} does not exist.`);
    const asked = body.expire_time ? (Date.parse(body.expire_time) - now()) / 1000 : (body.ttl ?? 3600);
    const expiresAt = now() + Math.min(asked, settings.databaseTokenSeconds) * 1000;
    const token = `eyJkYi${randomBytes(450).toString('base64url')}`;
    held.set(token, { principal: caller.principal, expiresAt });
    given += 1;
    return answer({ token, expire_time: new Date(expiresAt).toISOString() });
  });
  return {
    routes,
    tokens: {
      accepts(role, password) {
        const found = held.get(password);
        return found !== undefined && found.principal.name === role && found.expiresAt > now();
      },
      revoke: () => held.clear(),
      get given() {
        return given;
      },
    },
  };
}
