import { type APIRequestContext, test as base, expect } from '@playwright/test';
import pg from 'pg';
import type { Role } from '@/lib/contract/roles';
import { type Api, createApi } from './api';
import { type Instance, readInstance } from './instance';
import { onDatabricks } from './platform';
import { signInByProxy, signInLocally } from './sign-in';
import { machineToken } from './workspace-token';

export { expect } from '@playwright/test';

type Cookies = Awaited<ReturnType<APIRequestContext['storageState']>>['cookies'];

interface WorkerFixtures {
  readonly instance: Instance;
  readonly db: pg.Client;
  /** The session cookies of a role, got by signing in as it. */
  readonly sessionOf: (role: Role) => Promise<Cookies>;
  /** An agent's way in: nobody is signed in, and on Databricks the proxy wants the token of a machine. */
  readonly agentRequest: APIRequestContext;
  /** The HTTP API as a signed-in role sees it. */
  readonly apiAs: (role: Role) => Promise<Api>;
}

interface TestFixtures {
  /** Makes the test's browser that of a signed-in role. */
  readonly signInAs: (role: Role) => Promise<void>;
  /** What the browser's console said that it should not have; anything left at the end fails the test. */
  readonly console: { expect(message: RegExp): void };
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
    async ({}, use) => use(await readInstance(process.env.TICKMARK_E2E_HOME ?? '')),
    { scope: 'worker' },
  ],

  db: [
    async ({ instance }, use) => {
      const client = new pg.Client({ connectionString: instance.databaseUrl });
      await client.connect();
      await use(client);
      await client.end();
    },
    { scope: 'worker' },
  ],

  sessionOf: [
    async ({ instance, playwright }, use) => {
      const known = new Map<Role, Cookies>();
      await use(async (role) => {
        const found = known.get(role);
        if (found) return found;
        const visitor = await playwright.request.newContext({ baseURL: instance.url });
        if (onDatabricks) await signInByProxy(visitor, role);
        else await signInLocally(visitor, instance.url, role);
        const { cookies } = await visitor.storageState();
        await visitor.dispose();
        known.set(role, cookies);
        return cookies;
      });
    },
    { scope: 'worker' },
  ],

  agentRequest: [
    async ({ instance, playwright }, use) => {
      const authorization = onDatabricks ? await machineToken() : undefined;
      const request = await playwright.request.newContext({
        baseURL: instance.url,
        ...(authorization && { extraHTTPHeaders: { authorization } }),
      });
      await use(request);
      await request.dispose();
    },
    { scope: 'worker' },
  ],

  apiAs: [
    async ({ instance, playwright, sessionOf }, use) => {
      const opened: APIRequestContext[] = [];
      await use(async (role) => {
        const request = await playwright.request.newContext({
          baseURL: instance.url,
          storageState: { cookies: await sessionOf(role), origins: [] },
          extraHTTPHeaders: { origin: instance.url },
        });
        opened.push(request);
        return createApi(request);
      });
      for (const request of opened) await request.dispose();
    },
    { scope: 'worker' },
  ],

  signInAs: async ({ context, sessionOf }, use) => {
    await use(async (role) => context.addCookies(await sessionOf(role)));
  },

  console: [
    async ({ context }, use) => {
      const said: string[] = [];
      const expected: RegExp[] = [];
      context.on('console', (message) => {
        const { url, lineNumber } = message.location();
        said.push(`${message.type()}: ${message.text()} (${url}:${lineNumber})`);
      });
      context.on('weberror', (error) => said.push(`uncaught: ${error.error().stack}`));
      await use({ expect: (message) => expected.push(message) });
      expect(
        said.filter((line) => !expected.some((one) => one.test(line))),
        'the browser’s console',
      ).toEqual([]);
    },
    { auto: true },
  ],
});
