import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { forbidden, Refusal } from './refusal';

/** What a principal may do, by the names that the platform gives its privileges and permission levels. */
export type Grant =
  | 'job:CAN_MANAGE_RUN'
  | 'volume:READ_VOLUME'
  | 'volume:WRITE_VOLUME'
  | 'warehouse:CAN_USE'
  | 'system.billing:SELECT'
  | 'endpoint:CAN_QUERY'
  | 'experiment:CAN_EDIT'
  | 'project:CAN_CONNECT_AND_CREATE'
  | 'app:CAN_USE'
  | 'app:CAN_MANAGE';

export const ALL_GRANTS: readonly Grant[] = [
  'job:CAN_MANAGE_RUN',
  'volume:READ_VOLUME',
  'volume:WRITE_VOLUME',
  'warehouse:CAN_USE',
  'system.billing:SELECT',
  'endpoint:CAN_QUERY',
  'experiment:CAN_EDIT',
  'project:CAN_CONNECT_AND_CREATE',
  'app:CAN_USE',
];

/** Somebody whom the workspace knows. */
export interface Principal {
  readonly kind: 'user' | 'service_principal';
  /** The numeric id of SCIM, as text. */
  readonly id: string;
  /** E-mail of a person, application (client) id of a service principal. */
  readonly name: string;
  readonly displayName: string;
  readonly groups: readonly string[];
  readonly grants: Set<Grant>;
  /** Of a service principal. */
  readonly secret: string | null;
}

/** `oauth`: from the token endpoint. `pat`: a personal access token, which the app's proxy refuses. */
export type TokenKind = 'oauth' | 'pat';

export interface Token {
  readonly value: string;
  readonly kind: TokenKind;
  readonly principal: Principal;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

/** People, service principals and their tokens. */
export interface Identities {
  readonly all: readonly Principal[];
  addServicePrincipal(
    displayName: string,
    grants?: readonly Grant[],
  ): Principal & { readonly secret: string };
  addUser(
    email: string,
    displayName: string,
    groups: readonly string[],
    grants?: readonly Grant[],
  ): Principal;
  find(name: string): Principal | undefined;
  issue(principal: Principal, kind: TokenKind, scopes: readonly string[], seconds: number): Token;
  /** The token that a header `Authorization: Bearer …` carries. Throws the 401s of the platform. */
  authenticate(authorization: string | undefined): Token;
  /** As `authenticate`, and null where there is no valid token. */
  recognise(authorization: string | undefined): Token | null;
  /** Ends all tokens before their time; of one principal, or of all. */
  revoke(principal?: Principal): void;
}

export function createIdentities(now: () => number): Identities {
  const all: Principal[] = [];
  const tokens = new Map<string, Token>();

  const add = <T extends Principal>(principal: T): T => {
    all.push(principal);
    return principal;
  };
  const recognise = (authorization: string | undefined) => {
    const value = /^Bearer ([\x21-\x7e]+)$/.exec(authorization ?? '')?.[1];
    const token = value === undefined ? undefined : tokens.get(value);
    return token && token.expiresAt > now() ? token : null;
  };

  return {
    all,
    addServicePrincipal: (displayName, grants = ALL_GRANTS) =>
      add({
        kind: 'service_principal',
        id: numericId(),
        name: randomUUID(),
        displayName,
        groups: [],
        grants: new Set(grants),
        secret: `dose${randomBytes(16).toString('hex')}`,
      }),
    addUser: (email, displayName, groups, grants = ['app:CAN_USE']) =>
      add({
        kind: 'user',
        id: numericId(),
        name: email,
        displayName,
        groups,
        grants: new Set(grants),
        secret: null,
      }),
    find: (name) => all.find((principal) => principal.name === name),
    issue(principal, kind, scopes, seconds) {
      // As long as a real one, which is a signed JWT: a header or a column that is too small for it shows.
      const value = kind === 'pat' ? `dapi${randomBytes(16).toString('hex')}` : longToken();
      const token = { value, kind, principal, scopes, expiresAt: now() + seconds * 1000 };
      tokens.set(value, token);
      return token;
    },
    recognise,
    authenticate(authorization) {
      const token = recognise(authorization);
      if (token) return token;
      if (authorization === undefined) {
        // The code is a number here, on purpose (databricks-sdk-go issue 953).
        throw new Refusal(401, 401, 'Credential was not sent or was of an unsupported type for this API.');
      }
      throw new Refusal(401, 'UNAUTHENTICATED', 'The access token is invalid or has expired.');
    },
    revoke(principal) {
      for (const [value, token] of tokens) {
        if (principal === undefined || token.principal === principal) tokens.delete(value);
      }
    },
  };
}

/** Throws a 403 unless the token's principal has the privilege and the token the scope for it. */
export function requireGrant(token: Token, grant: Grant, scope: string, what: string): void {
  requireScope(token, scope);
  if (!token.principal.grants.has(grant)) {
    const privilege = grant.slice(grant.indexOf(':') + 1);
    throw forbidden(`User ${token.principal.name} does not have ${privilege} on ${what}.`);
  }
}

/** Throws a 403 unless the token may be used for an API. */
export function requireScope(token: Token, scope: string): void {
  if (token.scopes.includes('all-apis') || token.scopes.includes(scope)) return;
  throw forbidden(`Provided OAuth token does not have required scopes: ${scope}.`);
}

function longToken(): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64url');
  return `eyJraWQi${part(60)}.eyJjbGll${part(500)}.${part(256)}`;
}

const numericId = () => String(randomInt(10 ** 12, 10 ** 14));
