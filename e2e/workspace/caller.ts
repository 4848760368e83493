import { readJson } from './int64-json';
import type { Workspace } from './workspace';

/** A plain client for the workspace's own tests: it checks nothing and repeats nothing. */
export function createCaller(workspace: Pick<Workspace, 'host' | 'clientId' | 'clientSecret'>) {
  const tokenOf = async (scope = 'all-apis', secret = workspace.clientSecret): Promise<Response> =>
    fetch(`${workspace.host}/oidc/v1/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${workspace.clientId}:${secret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
    });
  const bearer = async (scope?: string): Promise<string> => {
    const { access_token } = (await (await tokenOf(scope)).json()) as { access_token: string };
    return `Bearer ${access_token}`;
  };
  const call = async (method: string, path: string, init: { body?: string; auth?: string } = {}) => {
    const { body, auth = await bearer() } = init;
    const response = await fetch(`${workspace.host}${path}`, {
      method,
      headers: { authorization: auth, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body,
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '') ? readJson(text) : null;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: json as Record<string, unknown>,
    };
  };
  return { tokenOf, bearer, call };
}
