import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { unstable_doesMiddlewareMatch as matches } from 'next/experimental/testing/server';
import { NextRequest } from 'next/server';
import { describe, expect, test } from 'vitest';
import { isAllowedHost } from '@/lib/http/allowed-host';
import { isSameSite } from '@/lib/http/cross-site';
import { config, proxy } from './proxy';

const ORIGIN = 'http://127.0.0.1:3000';
const visit = (address: string, headers: Record<string, string> = {}) =>
  proxy(new NextRequest(`${ORIGIN}${address}`, { headers: { host: '127.0.0.1:3000', ...headers } }));
const SIGNED_IN = { cookie: 'next-auth.session-token=x' };

async function pages(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('app/**/page.tsx', { cwd: import.meta.dirname })) {
    const address = path
      .dirname(path.relative('app', file))
      .replaceAll(/\([^)]*\)\/?/g, '')
      .replaceAll(/\[[^\]]*\]/g, 'x');
    found.push(address === '.' || address === '' ? '/' : `/${address}`);
  }
  return found;
}

describe('every page', () => {
  test('sends a stranger to the sign-in page, which alone is open', async () => {
    const addresses = await pages();
    expect(addresses).toContain('/signin');
    for (const address of addresses) {
      expect({ address, guarded: matches({ config, nextConfig: {}, url: address }) }).toEqual({
        address,
        guarded: true,
      });
      const response = visit(address);
      const target = response.headers.get('location');
      if (address === '/signin') expect(target).toBeNull();
      else expect({ address, target }).toEqual({ address, target: expect.stringContaining('/signin') });
    }
  });

  test('but the sign-in page asks for a valid session itself', async () => {
    for await (const file of glob('app/**/page.tsx', { cwd: import.meta.dirname })) {
      if (file.includes('signin')) continue;
      const source = await readFile(path.join(import.meta.dirname, file), 'utf8');
      expect({ file, asks: source.includes('requireUser(') }).toEqual({ file, asks: true });
    }
  });

  test('is brought back to after signing in', () => {
    // The host is left out: next/server writes every loopback address as localhost, and sends it without a host.
    const target = new URL(visit('/tasks?status=failed').headers.get('location') ?? '');
    expect(target.pathname + target.search).toBe(
      `/signin?callbackUrl=${encodeURIComponent('/tasks?status=failed')}`,
    );
  });

  test('has a policy with a nonce of its own, which Next is told', () => {
    const [one, two] = [visit('/tasks', SIGNED_IN), visit('/tasks', SIGNED_IN)];
    const policy = one.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/=]{24}' 'wasm-unsafe-eval';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect(two.headers.get('content-security-policy')).not.toBe(policy);
    expect(one.headers.get('x-middleware-request-content-security-policy')).toBe(policy);
  });

  test('is refused under a name that is not ours', () => {
    expect(visit('/tasks', { ...SIGNED_IN, host: 'rebound.example' }).status).toBe(400);
  });
});

test('uploads never pass through, because a copy of each body would be kept in memory', () => {
  for (const url of [
    '/api/v1/extractions',
    '/api/v1/extractions/x/documents',
    '/api/v1/callbacks',
    '/healthz',
    '/readyz',
    '/metrics',
    '/_next/static/a.js',
  ]) {
    expect({ url, matched: matches({ config, nextConfig: {}, url }) }).toEqual({ url, matched: false });
  }
});

test('an address that stands for no text is refused, not a crash of the server behind', () => {
  for (const url of ['/api/v1/tasks/%E0%A4%A', '/tasks/%ff', '/%']) {
    expect({ url, matched: matches({ config, nextConfig: {}, url }) }).toEqual({ url, matched: true });
    expect({ url, status: visit(url, SIGNED_IN).status }).toEqual({ url, status: 400 });
  }
  expect(visit('/api/v1/tasks/%C3%A4').status).toBe(200);
});

test.each([
  ['127.0.0.1:3000', true],
  ['localhost', true],
  ['LOCALHOST:1', true],
  ['[::1]:3000', true],
  ['tickmark.example', true],
  ['tickmark.example:8443', true],
  ['localhost.evil.example', false],
  ['evil.example', false],
  ['tickmark.example@evil.example', false],
  ['127.0.0.1:3000/x', false],
  ['', false],
  [null, false],
])('the host name %j is ours: %s', (host, allowed) => {
  expect(isAllowedHost(host, 'https://tickmark.example')).toBe(allowed);
});

test.each([
  [{ origin: 'https://tickmark.example', 'sec-fetch-site': 'same-origin' }, true],
  [{ origin: 'http://localhost:3000', host: 'localhost:3000' }, true],
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ origin: 'http://localhost:3001', host: 'localhost:3000' }, false],
  [{ origin: 'https://evil.example', host: 'tickmark.example', 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ origin: 'null', host: 'null' }, false],
  [{}, false],
])('a request with %j comes from our own pages: %s', (headers, same) => {
  expect(isSameSite(new Headers(headers as Record<string, string>), 'https://tickmark.example')).toBe(same);
});
