import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { Identities, Principal } from './identities';

/**
 * `POST /oidc/v1/token`: machine-to-machine OAuth, client id and secret in HTTP Basic, a form as the body, no refresh
 * token [https://docs.databricks.com/aws/en/dev-tools/auth/oauth-m2m]. Errors have the shape of OAuth, not of the API
 * (databricks-sql-nodejs issue 279); their status 401 is not confirmed.
 */
export interface OAuthSettings {
  /** Lifetime of the next tokens in seconds; the platform gives 3600. */
  tokenSeconds: number;
}

/** Scopes seen in public code; a name that is none of them is refused. */
const SCOPES = new Set([
  'all-apis',
  'sql',
  'postgres',
  'jobs',
  'files.files',
  'serving.serving-endpoints',
  'mlflow',
  'scim',
  'apps',
  'iam.current-user:read',
  'iam.access-control:read',
]);

const CLIENT_CREDENTIALS = 'client_credentials';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const PERSONAL_TOKEN = 'urn:databricks:params:oauth:token-type:personal-access-token';

export function oauthRoutes(identities: Identities, settings: OAuthSettings): Hono {
  const app = new Hono();
  app.get('/oidc/.well-known/oauth-authorization-server', (c) => {
    const { origin } = new URL(c.req.url);
    return c.json({
      issuer: `${origin}/oidc`,
      authorization_endpoint: `${origin}/oidc/v1/authorize`,
      token_endpoint: `${origin}/oidc/v1/token`,
    });
  });
  app.post('/oidc/v1/token', async (c) => {
    if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) {
      return refuse('invalid_request', 'The body has to be a form.', 400);
    }
    const form = new URLSearchParams(await c.req.text());
    const unknown = [...form.keys()].find((name) => !KNOWN_FIELDS.has(name));
    if (unknown) return refuse('invalid_request', `Unknown parameter ${unknown}.`, 400);
    const scopes = (form.get('scope') ?? '').split(' ').filter(Boolean);
    const bad = scopes.find((scope) => !SCOPES.has(scope));
    if (scopes.length === 0 || bad)
      return refuse('invalid_scope', `Scope ${bad ?? '(none)'} is not known.`, 400);
    const principal = whoAsks(identities, form, c.req.header('authorization'));
    if (typeof principal === 'string') return refuse(principal, EXPLAINED[principal], STATUS[principal]);
    const token = identities.issue(principal, 'oauth', scopes, settings.tokenSeconds);
    return Response.json(
      {
        access_token: token.value,
        token_type: 'Bearer',
        expires_in: settings.tokenSeconds,
        scope: scopes.join(' '),
      },
      { headers: { 'cache-control': 'no-store' } },
    );
  });
  return app;
}

const KNOWN_FIELDS = new Set([
  'grant_type',
  'scope',
  'subject_token',
  'subject_token_type',
  'requested_token_type',
]);

const EXPLAINED = {
  invalid_client: 'Client authentication failed',
  invalid_grant: 'The subject token is not valid.',
  unsupported_grant_type: 'The grant type is not supported.',
} as const;
const STATUS = { invalid_client: 401, invalid_grant: 400, unsupported_grant_type: 400 } as const;

function whoAsks(
  identities: Identities,
  form: URLSearchParams,
  authorization: string | undefined,
): Principal | keyof typeof EXPLAINED {
  switch (form.get('grant_type')) {
    case CLIENT_CREDENTIALS:
      return clientOf(identities, authorization) ?? 'invalid_client';
    case TOKEN_EXCHANGE: {
      // A run's own token for an OAuth one of the same identity (databricks-sdk-py `oauth.py`, strategy runtime-oauth).
      if (form.get('subject_token_type') !== PERSONAL_TOKEN) return 'invalid_grant';
      const token = identities.recognise(`Bearer ${form.get('subject_token')}`);
      return token?.kind === 'pat' ? token.principal : 'invalid_grant';
    }
    default:
      return 'unsupported_grant_type';
  }
}

function clientOf(identities: Identities, authorization: string | undefined): Principal | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/.exec(authorization ?? '')?.[1];
  if (!encoded) return undefined;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  const principal = identities.find(id);
  if (!principal?.secret) return undefined;
  const [given, right] = [Buffer.from(rest.join(':')), Buffer.from(principal.secret)];
  return given.length === right.length && timingSafeEqual(given, right) ? principal : undefined;
}

function refuse(error: string, error_description: string, status: number): Response {
  return Response.json({ error, error_description }, { status });
}
