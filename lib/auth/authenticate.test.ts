import { encode } from 'next-auth/jwt';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '@/lib/config/schema';
import { DATABRICKS_ENVIRONMENT } from '@/test/databricks-environment';
import { authenticate } from './authenticate';
import { roleFromClaims } from './options';
import { authSettings } from './settings';
import { signToken, verifyToken } from './token';

const SECRET = 's'.repeat(40);
const ADMIN_TOKEN = 'admin-'.repeat(8);
const settings = (env: Record<string, string> = {}) =>
  authSettings(parseConfig({ TICKMARK_ADMIN_TOKEN: ADMIN_TOKEN, ...env }, '/'), SECRET);
const who = (headers: Record<string, string>, env?: Record<string, string>) =>
  authenticate(new Headers(headers), settings(env));

describe('who asks', () => {
  test('is the admin script with the admin token, and nobody with a part of it', async () => {
    expect(await who({ authorization: `Bearer ${ADMIN_TOKEN}` })).toMatchObject({
      by: 'bearer',
      user: { role: 'admin' },
    });
    expect(await who({ authorization: `Bearer ${ADMIN_TOKEN.slice(1)}` })).toBeNull();
    expect(await who({ authorization: `Bearer ${ADMIN_TOKEN}x` })).toBeNull();
    expect(await who({ authorization: ADMIN_TOKEN })).toBeNull();
  });

  test('is the command line with a token signed on the same data folder', async () => {
    const token = await signToken(SECRET);
    expect(await who({ authorization: `Bearer ${token}` })).toEqual({
      by: 'bearer',
      user: { id: 'local-cli', name: 'Command line', role: 'operator' },
    });
    expect(await verifyToken('t'.repeat(40), token)).toBeNull();
    expect(await verifyToken(SECRET, `${token.slice(0, -2)}AA`)).toBeNull();
  });

  test('is nobody with a session cookie in the place of a token, or a token in the place of a cookie', async () => {
    const session = await encode({ token: { sub: 'u', name: 'U', role: 'admin' }, secret: SECRET });
    expect(await who({ authorization: `Bearer ${session}` })).toBeNull();
    expect(await who({ cookie: `next-auth.session-token=${await signToken(SECRET)}` })).toBeNull();
    expect(await who({ cookie: `next-auth.session-token=${session}` })).toMatchObject({
      by: 'cookie',
      user: { id: 'u' },
    });
  });

  test('is nobody when the token or the session is over, or names no role', async () => {
    const over = await encode({ token: { sub: 'u', name: 'U', role: 'admin' }, secret: SECRET, maxAge: -60 });
    expect(await who({ cookie: `next-auth.session-token=${over}` })).toBeNull();
    const odd = await encode({ token: { sub: 'u', name: 'U', role: 'root' }, secret: SECRET });
    expect(await who({ cookie: `next-auth.session-token=${odd}` })).toBeNull();
  });

  test('is read from a cookie in parts, and on https only from the secure one', async () => {
    const session = await encode({ token: { sub: 'u', name: 'U', role: 'auditor' }, secret: SECRET });
    const [a, b] = [session.slice(0, 50), session.slice(50)];
    expect(
      await who({ cookie: `x=1; next-auth.session-token.1=${b}; next-auth.session-token.0=${a}` }),
    ).not.toBeNull();
    const https = { TICKMARK_URL: 'https://tickmark.example' };
    expect(await who({ cookie: `next-auth.session-token=${session}` }, https)).toBeNull();
    expect(await who({ cookie: `__Secure-next-auth.session-token=${session}` }, https)).not.toBeNull();
  });
});

describe('local roles', () => {
  test('can be picked on loopback only, and never beside single sign-on', () => {
    const oidc = {
      AUTH_OIDC_ISSUER: 'https://id.example',
      AUTH_OIDC_CLIENT_ID: 'id',
      AUTH_OIDC_CLIENT_SECRET: 'secret',
    };
    expect(settings().localRoles).toBe(true);
    expect(settings({ HOST: 'localhost' }).localRoles).toBe(true);
    expect(settings(oidc).localRoles).toBe(false);
    expect(settings({ HOST: '0.0.0.0', ...oidc }).localRoles).toBe(false);
    expect(settings(DATABRICKS_ENVIRONMENT).localRoles).toBe(false);
  });

  test('of single sign-on are the strongest claimed, else auditor', () => {
    expect(roleFromClaims({ roles: ['tickmark-auditor', 'tickmark-admin'] })).toBe('admin');
    expect(roleFromClaims({ groups: ['tickmark-operator', 'admin'] })).toBe('operator');
    expect(roleFromClaims({ groups: 'tickmark-admin' })).toBe('admin');
    expect(roleFromClaims({ roles: [{ admin: true }] })).toBe('auditor');
    expect(roleFromClaims({})).toBe('auditor');
  });
});
