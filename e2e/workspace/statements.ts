import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Hono } from 'hono';
import { z } from 'zod';
import { requireGrant } from './identities';
import { forbidden, invalid, missing } from './refusal';
import { answer, type Call, type Env, readBody } from './requests';
import { type Result, resultPart, type Statement, showStatement } from './statement-results';

/**
 * SQL Statement Execution API 2.0 on one warehouse (databricks-sdk-py `service/sql.py`). It knows no SQL: what a statement
 * answers, its maker says.
 */
export interface WarehouseSettings {
  /** How long the warehouse takes to start, in milliseconds. */
  warehouseStartMs: number;
  /** Rows of a chunk. */
  chunkRows: number;
}

/** The answer to a statement; throws in words for one that fails, which the API tells in an answer of 200. */
export type RunStatement = (statement: string, parameters: ReadonlyMap<string, string | null>) => Result;

const TYPES = ['STRING', 'DATE', 'TIMESTAMP', 'INT', 'BIGINT', 'BOOLEAN', 'DOUBLE'] as const;
const DECIMAL = /^DECIMAL\(\d{1,2},\s?\d{1,2}\)$/;

const StatementBody = z.strictObject({
  warehouse_id: z.string(),
  statement: z
    .string()
    .min(1)
    .max(16 * 1024 ** 2),
  catalog: z.string().optional(),
  schema: z.string().optional(),
  parameters: z
    .array(
      z.strictObject({
        name: z.string().regex(/^\w+$/),
        value: z.string().nullable().optional(),
        type: z
          .string()
          .refine((type) => (TYPES as readonly string[]).includes(type) || DECIMAL.test(type), {
            error: 'is no type of a parameter',
          })
          .optional(),
      }),
    )
    .default([]),
  wait_timeout: z
    .string()
    .regex(/^(0|[5-9]|[1-4]\d|50)s$/, { error: 'is 0s, or 5s to 50s' })
    .default('10s'),
  on_wait_timeout: z.enum(['CONTINUE', 'CANCEL']).default('CONTINUE'),
  disposition: z.enum(['INLINE', 'EXTERNAL_LINKS']).default('INLINE'),
  format: z.enum(['JSON_ARRAY']).default('JSON_ARRAY'),
  row_limit: z.number().int().positive().optional(),
  byte_limit: z.number().int().positive().optional(),
});

const API = '/api/2.0/sql';

export interface StatementDeps {
  readonly warehouseId: string;
  readonly settings: WarehouseSettings;
  readonly run: RunStatement;
  readonly host: () => string;
}

export function statementRoutes(deps: StatementDeps): { routes: Hono<Env>; store: Hono } {
  const statements = new Map<string, Statement>();
  const links = new Map<string, { readonly statement: Statement; readonly chunk: number }>();
  const warehouse = createWarehouse(deps);
  const routes = new Hono<Env>();
  const mayUse = (c: Call) => requireGrant(c.get('token'), 'warehouse:CAN_USE', 'sql', 'the warehouse');
  const find = (c: Call) => {
    mayUse(c);
    const statement = statements.get(c.req.param('id') ?? '');
    if (!statement) throw missing(`The statement ${c.req.param('id')} was not found.`);
    if (statement.owner !== c.get('token').principal.name) throw forbidden('Not the statement of this user.');
    return statement;
  };
  const link = (statement: Statement, chunk: number) => {
    const key = randomUUID();
    links.set(key, { statement, chunk });
    return `${deps.host()}/__store/results/${key}`;
  };

  routes.post(`${API}/statements`, async (c) => {
    mayUse(c);
    const body = await readBody(c, StatementBody);
    if (body.warehouse_id !== deps.warehouseId)
      throw missing(`Warehouse ${body.warehouse_id} does not exist.`);
    const parameters = new Map(body.parameters.map(({ name, value }) => [name, value ?? null]));
    checkMarkers(body.statement, parameters);
    const statement: Statement = {
      id: randomUUID(),
      owner: c.get('token').principal.name,
      disposition: body.disposition,
      chunkRows: deps.settings.chunkRows,
      state: 'PENDING',
      result: null,
      error: null,
    };
    statements.set(statement.id, statement);
    const done = warehouse.execute(statement, () => {
      requireGrant(c.get('token'), 'system.billing:SELECT', 'sql', "Table 'system.billing.usage'");
      return deps.run(body.statement, parameters);
    });
    await Promise.race([done, delay(Number.parseInt(body.wait_timeout, 10) * 1000)]);
    if (body.on_wait_timeout === 'CANCEL' && isOpen(statement)) statement.state = 'CANCELED';
    return answer(showStatement(statement, link));
  });
  routes.get(`${API}/statements/:id`, (c) => answer(showStatement(find(c), link)));
  routes.post(`${API}/statements/:id/cancel`, (c) => {
    const statement = find(c);
    if (isOpen(statement)) statement.state = 'CANCELED';
    return answer({});
  });
  routes.get(`${API}/statements/:id/result/chunks/:chunk`, (c) => {
    const statement = find(c);
    const chunk = Number(c.req.param('chunk'));
    const part = resultPart(statement, chunk, link);
    if (!part) throw invalid(`There is no chunk ${c.req.param('chunk')}.`);
    return answer(part);
  });
  routes.get(`${API}/warehouses/:id`, (c) => {
    mayUse(c);
    if (c.req.param('id') !== deps.warehouseId) throw missing('The warehouse does not exist.');
    return answer({ id: deps.warehouseId, name: 'tickmark', state: warehouse.state() });
  });

  const store = new Hono();
  store.get('/__store/results/:key', (c) => {
    const found = links.get(c.req.param('key'));
    if (!found) return c.text('AccessDenied', 403);
    if (c.req.header('authorization')) return c.text('Only one auth mechanism allowed', 400);
    const { statement, chunk } = found;
    const rows = statement.result?.rows.slice(chunk * statement.chunkRows, (chunk + 1) * statement.chunkRows);
    return c.json(rows ?? []);
  });
  return { routes, store };
}

const isOpen = ({ state }: Statement) => state === 'PENDING' || state === 'RUNNING';

function createWarehouse({ settings }: StatementDeps) {
  let startedAt: number | null = null;
  const state = () => {
    if (startedAt === null) return 'STOPPED';
    return Date.now() - startedAt < settings.warehouseStartMs ? 'STARTING' : 'RUNNING';
  };
  return {
    state,
    async execute(statement: Statement, work: () => Result): Promise<void> {
      // A warehouse that is stopped starts by itself; the statement is PENDING meanwhile.
      startedAt ??= Date.now();
      await delay(Math.max(0, startedAt + settings.warehouseStartMs - Date.now()));
      if (!isOpen(statement)) return;
      statement.state = 'RUNNING';
      try {
        statement.result = work();
        statement.state = 'SUCCEEDED';
      } catch (error) {
        statement.error = error instanceof Error ? error.message : String(error);
        statement.state = 'FAILED';
      }
    },
  };
}

/** Markers are `:name`, never `?`, and each has its value. */
function checkMarkers(statement: string, parameters: ReadonlyMap<string, string | null>): void {
  const markers = new Set(
    [...statement.matchAll(/(?<![:\w]):([A-Za-z_]\w*)/g)].map((match) => match[1] ?? ''),
  );
  const unbound = [...markers].find((name) => !parameters.has(name));
  if (unbound) throw invalid(`Found the unbound parameter: ${unbound}.`);
  const unused = [...parameters.keys()].find((name) => !markers.has(name));
  if (unused) throw invalid(`The statement has no marker :${unused}.`);
}
