import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import type { Identities, Principal } from './identities';

/**
 * The workspace's own sign-in, to which the proxy of an app sends everybody who has no session. A page lists people to
 * pick from; `login_hint` picks at once. What the real pages look like is no part of this.
 */
export interface SignIns {
  readonly routes: Hono;
  /** Who a code stands for; it is good once. */
  redeem(code: string): Principal | undefined;
}

export function createSignIns(identities: Identities): SignIns {
  const codes = new Map<string, Principal>();
  const routes = new Hono();
  routes.get('/oidc/v1/authorize', (c) => {
    const { redirect_uri = '', state = '', login_hint } = c.req.query();
    const back = URL.parse(redirect_uri);
    if (back?.pathname !== '/.auth/callback') return c.text('redirect_uri is not registered', 400);
    if (login_hint === undefined) return c.html(pageOf(identities, new URL(c.req.url)));
    const person = identities.find(login_hint);
    if (person?.kind !== 'user') return c.text('There is no such person.', 403);
    const code = randomBytes(24).toString('base64url');
    codes.set(code, person);
    back.search = new URLSearchParams({ code, state }).toString();
    return c.redirect(back.href, 302);
  });
  return {
    routes,
    redeem(code) {
      const person = codes.get(code);
      codes.delete(code);
      return person;
    },
  };
}

function pageOf(identities: Identities, asked: URL): string {
  const people = identities.all.filter(({ kind }) => kind === 'user');
  const links = people.map(({ name, displayName }) => {
    const link = new URL(asked);
    link.searchParams.set('login_hint', name);
    return `<li><a href="${link.search.replaceAll('&', '&amp;')}">${displayName}</a></li>`;
  });
  return `<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in to the workspace</h1><ul>${links.join('')}</ul></html>`;
}
