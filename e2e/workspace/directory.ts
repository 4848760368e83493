import { Hono } from 'hono';
import { z } from 'zod';
import { type Identities, type Principal, requireScope } from './identities';
import { missing } from './refusal';
import { answer, type Env, readQuery } from './requests';

/**
 * Who is who: SCIM 2.0 of the workspace (databricks-sdk-py `service/iam.py`). Its errors have a shape of their own
 * (databricks-sdk-py `errors/deserializer.py`).
 */
const SCIM = '/api/2.0/preview/scim/v2';

const ListQuery = z.strictObject({
  filter: z.string().optional(),
  attributes: z.string().optional(),
  startIndex: z.string().regex(/^\d+$/).optional(),
  count: z.string().regex(/^\d+$/).optional(),
});

export function directoryRoutes(identities: Identities): Hono<Env> {
  const app = new Hono<Env>();
  app.use(`${SCIM}/*`, async (c, next) => {
    requireScope(c.get('token'), 'scim');
    await next();
  });
  app.get(`${SCIM}/Me`, (c) => scim(show(c.get('token').principal)));
  for (const [collection, kind] of [
    ['Users', 'user'],
    ['ServicePrincipals', 'service_principal'],
  ] as const) {
    const all = () => identities.all.filter((one) => one.kind === kind);
    app.get(`${SCIM}/${collection}`, (c) => {
      const { filter, startIndex = '1', count = '100' } = readQuery(c, ListQuery);
      const wanted = filter === undefined ? () => true : readFilter(filter);
      if (!wanted) return scimError(400, `Invalid filter: ${filter}`, 'invalidFilter');
      const found = all().filter(wanted);
      const page = found.slice(Number(startIndex) - 1, Number(startIndex) - 1 + Number(count));
      return scim({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: found.length,
        startIndex: Number(startIndex),
        itemsPerPage: page.length,
        ...(page.length > 0 ? { Resources: page.map(show) } : {}),
      });
    });
    app.get(`${SCIM}/${collection}/:id`, (c) => {
      const found = all().find((one) => one.id === c.req.param('id'));
      return found ? scim(show(found)) : scimError(404, `${collection} ${c.req.param('id')} not found.`);
    });
  }
  return app;
}

/** `attribute eq "value"`, the only filter that anybody needs here. */
function readFilter(filter: string): ((one: Principal) => boolean) | null {
  const match = /^(userName|applicationId|displayName|id) eq "([^"]*)"$/i.exec(filter.trim());
  if (!match) return null;
  const [, attribute = '', value = ''] = match;
  return (one) => {
    if (/^id$/i.test(attribute)) return one.id === value;
    if (/^displayName$/i.test(attribute)) return one.displayName === value;
    return one.name.toLowerCase() === value.toLowerCase();
  };
}

function show(one: Principal) {
  const named =
    one.kind === 'user'
      ? { userName: one.name, emails: [{ type: 'work', value: one.name, primary: true }] }
      : { applicationId: one.name };
  return {
    schemas: [`urn:ietf:params:scim:schemas:core:2.0:${one.kind === 'user' ? 'User' : 'ServicePrincipal'}`],
    id: one.id,
    displayName: one.displayName,
    active: true,
    ...named,
    // Absent for somebody in no group.
    ...(one.groups.length > 0
      ? { groups: one.groups.map((display, n) => ({ display, type: 'direct', value: String(9000 + n) })) }
      : {}),
  };
}

function scim(value: unknown): Response {
  return Response.json(value, { headers: { 'content-type': 'application/scim+json' } });
}

function scimError(status: number, detail: string, scimType?: string): Response {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
  return Response.json({ schemas, status: String(status), detail, scimType }, { status });
}

/** `GET /api/2.0/apps/{name}`: where the app is, and as whom it acts (databricks-sdk-py `service/apps.py`). */
export function appRoutes(app: Principal, url: () => string | undefined): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get('/api/2.0/apps/:name', (c) => {
    requireScope(c.get('token'), 'apps');
    if (c.req.param('name') !== 'tickmark') throw missing('App does not exist or is deleted.');
    return answer({
      name: 'tickmark',
      url: url(),
      service_principal_id: BigInt(app.id),
      service_principal_client_id: app.name,
      service_principal_name: app.displayName,
      app_status: { state: 'RUNNING', message: 'App is running.' },
      compute_status: { state: 'ACTIVE' },
    });
  });
  return routes;
}
