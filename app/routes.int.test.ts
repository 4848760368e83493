import { glob } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '@/lib/contract/roles';
import { bearer, browser, call, createTestApp, type TestApp } from '@/test/api';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const EVERYONE: readonly Role[] = ROLES;
const OPERATION: readonly Role[] = ['operator', 'admin'];

/** Routes that are there for strangers. A new one needs a reason, and a line here. */
const PUBLIC = new Set(['/healthz', '/readyz', '/api/v1/callbacks', '/api/auth/[...nextauth]']);

/** Who may call what; a route that is missing here fails the test. */
const ROLES_BY_ROUTE: Record<string, readonly Role[]> = {
  'GET /metrics': OPERATION,
  'GET /api/v1/agents': EVERYONE,
  'PATCH /api/v1/agents/[id]': OPERATION,
  'GET /api/v1/agents/[id]/history': EVERYONE,
  'GET /api/v1/bulk/[id]': OPERATION,
  'POST /api/v1/bulk/[id]/undo': OPERATION,
  'GET /api/v1/documents/[id]/content': EVERYONE,
  'GET /api/v1/events': EVERYONE,
  'GET /api/v1/extractions': EVERYONE,
  'POST /api/v1/extractions': EVERYONE,
  'GET /api/v1/extractions/[id]': EVERYONE,
  'GET /api/v1/extractions/[id]/checks': EVERYONE,
  'POST /api/v1/extractions/[id]/documents': EVERYONE,
  'GET /api/v1/extractions/[id]/export': EVERYONE,
  'GET /api/v1/health': OPERATION,
  'GET /api/v1/metrics': EVERYONE,
  'POST /api/v1/metrics/compute-cost': EVERYONE,
  'GET /api/v1/metrics/compute-cost/[id]': EVERYONE,
  'GET /api/v1/openapi.json': EVERYONE,
  'GET /api/v1/schemas/callback.json': EVERYONE,
  'GET /api/v1/tasks': EVERYONE,
  'POST /api/v1/tasks/bulk': OPERATION,
  'GET /api/v1/tasks/[id]': EVERYONE,
  'PATCH /api/v1/tasks/[id]': OPERATION,
  'POST /api/v1/tasks/[id]/cancel': OPERATION,
  'POST /api/v1/tasks/[id]/retry': OPERATION,
  'GET /api/v1/views': EVERYONE,
  'POST /api/v1/views': EVERYONE,
  'DELETE /api/v1/views/[id]': EVERYONE,
};

type Handler = Parameters<typeof call>[0];
interface Route {
  readonly name: string;
  readonly path: string;
  readonly method: string;
  readonly handler: Handler;
}

const params = { id: '00000000-0000-4000-8000-000000000000' };
const root = path.resolve(import.meta.dirname, '..');
let app: TestApp;
let routes: Route[];

beforeAll(async () => {
  app = await createTestApp();
  routes = await findRoutes();
});
afterAll(() => app.close());

async function findRoutes(): Promise<Route[]> {
  const found: Route[] = [];
  for await (const file of glob('app/**/route.{ts,tsx}', { cwd: root })) {
    const module = (await import(path.join(root, file))) as Record<string, Handler>;
    const address = `/${path.dirname(path.relative('app', file))}`.replaceAll(/\/\([^)]*\)/g, '');
    for (const method of METHODS) {
      const handler = module[method];
      if (handler) found.push({ name: `${method} ${address}`, path: address, method, handler });
    }
  }
  return found;
}

const protectedRoutes = () => routes.filter((route) => !PUBLIC.has(route.path));

describe('every route', () => {
  test('is known here with the roles that may call it', () => {
    expect(
      protectedRoutes()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(ROLES_BY_ROUTE).sort());
  });

  test('refuses a stranger, a wrong token and a forged session with 401', async () => {
    const strangers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: 'Basic YWRtaW46YWRtaW4=' },
      { cookie: 'next-auth.session-token=eyJhbGciOiJkaXIifQ..x.y.z' },
      { ...(await browser('admin')), authorization: 'Bearer nonsense' },
    ];
    for (const route of protectedRoutes()) {
      for (const headers of strangers) {
        const response = await call(route.handler, { method: route.method, headers, params });
        expect({ route: route.name, status: response.status }).toEqual({ route: route.name, status: 401 });
        expect(response.headers.get('content-type')).toBe('application/problem+json');
      }
    }
  });

  test('refuses a role that may not call it with 403, and lets the others in', async () => {
    for (const route of protectedRoutes()) {
      for (const role of ROLES) {
        const controller = new AbortController();
        const response = await call(route.handler, {
          method: route.method,
          headers: await bearer(role),
          params,
          signal: controller.signal,
        });
        controller.abort();
        const allowed = ROLES_BY_ROUTE[route.name]?.includes(role);
        expect({ route: route.name, role, allowed: response.status !== 403 }).toEqual({
          route: route.name,
          role,
          allowed,
        });
        expect(response.status).not.toBe(401);
        expect({ route: route.name, failed: response.status >= 500 }).toEqual({
          route: route.name,
          failed: false,
        });
      }
    }
  });

  test('refuses a name of a host that is not ours', async () => {
    for (const route of protectedRoutes()) {
      const headers = { ...(await bearer('admin')), host: 'rebound.example' };
      const response = await call(route.handler, { method: route.method, headers, params });
      expect({ route: route.name, status: response.status }).toEqual({ route: route.name, status: 400 });
    }
  });

  test('that changes something refuses a session from another site, and a session without any origin', async () => {
    const session = await browser('admin');
    const elsewhere: Record<string, string>[] = [
      { ...session, 'sec-fetch-site': 'cross-site' },
      { ...session, 'sec-fetch-site': 'same-site' },
      { ...session, origin: 'https://elsewhere.example' },
      { cookie: session.cookie ?? '', origin: 'null' },
      { cookie: session.cookie ?? '' },
    ];
    for (const route of protectedRoutes().filter(({ method }) => method !== 'GET')) {
      for (const headers of elsewhere) {
        const response = await call(route.handler, { method: route.method, headers, params });
        expect({ route: route.name, status: response.status }).toEqual({ route: route.name, status: 403 });
      }
      const own = await call(route.handler, { method: route.method, headers: session, params });
      expect(own.status).not.toBe(403);
    }
  });
});
