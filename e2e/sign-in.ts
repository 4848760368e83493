import type { APIRequestContext } from '@playwright/test';
import { expect } from '@playwright/test';
import type { Role } from '@/lib/contract/roles';
import { PEOPLE } from './people';

/** Signs in as one of the local roles that an embedded instance offers. @param visitor whose cookies get the session */
export async function signInLocally(visitor: APIRequestContext, url: string, role: Role): Promise<void> {
  const { csrfToken } = await (await visitor.get('/api/auth/csrf')).json();
  const form = { csrfToken, role, json: 'true' };
  const answer = await visitor.post('/api/auth/callback/local', { form, headers: { origin: url } });
  expect(answer.ok()).toBe(true);
}

/** Comes by the proxy of a Databricks App: the workspace's sign-in sends back a person of the role. */
export async function signInByProxy(visitor: APIRequestContext, role: Role): Promise<void> {
  const sent = await visitor.get('/extractions', { maxRedirects: 0 });
  expect(sent.status()).toBe(302);
  const signIn = new URL(sent.headers().location ?? '');
  signIn.searchParams.set('login_hint', PEOPLE[role].email);
  const back = await visitor.get(signIn.href);
  expect(back.ok(), await back.text()).toBe(true);
}
