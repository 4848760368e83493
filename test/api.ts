import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { encode } from 'next-auth/jwt';
import { authSettings } from '@/lib/auth/settings';
import { signToken } from '@/lib/auth/token';
import { parseConfig } from '@/lib/config/schema';
import type { Role } from '@/lib/contract/roles';
import { createDb, type Db, withSearchPath } from '@/lib/db/client';
import { listen } from '@/lib/db/listen';
import { seed } from '@/lib/db/seed';
import { type AppRuntime, setAppRuntime } from '@/lib/http/app-runtime';
import { createLiveHub } from '@/lib/live/hub';
import { createLogger } from '@/lib/log';
import { createEmbeddedDocumentStore } from '@/lib/platform/document-store/embedded';
import { createCallbackGroups } from '@/lib/queue/callback-groups';
import { createHome } from '@/lib/queue/home';
import { createBillingSource } from '@/lib/runtime';
import { priceUsages } from '@/lib/usage/price';
import { createTestDatabase } from './database';

export const ORIGIN = 'http://127.0.0.1:3520';
export const ADMIN_TOKEN = 'a'.repeat(40);
export const WEBHOOK_SECRET = 'w'.repeat(40);
const AUTH_SECRET = 's'.repeat(40);

/** The app's routes over a real database and a real store, called without a server. */
export interface TestApp {
  readonly runtime: AppRuntime;
  readonly db: Db;
  readonly home: string;
  close(): Promise<void>;
}

/** Makes the runtime that all route handlers of this test file use. */
export async function createTestApp(env: Record<string, string> = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const home = await mkdtemp(path.join(os.tmpdir(), 'tickmark-api-'));
  const config = parseConfig(
    {
      TICKMARK_URL: ORIGIN,
      TICKMARK_HOME: home,
      TICKMARK_ADMIN_TOKEN: ADMIN_TOKEN,
      MAX_FILE_MB: '1',
      ...env,
    },
    home,
  );
  const log = createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent');
  const db = createDb(database.url, { applicationName: 'test' });
  await seed(db);
  const live = createLiveHub({
    db,
    log,
    listen: (hooks) => listen({ database: withSearchPath(database.url), applicationName: 'test', ...hooks }),
  });
  const runtime: AppRuntime = {
    config,
    auth: authSettings(config, AUTH_SECRET),
    webhookSecret: WEBHOOK_SECRET,
    callbacks: createCallbackGroups({ db, hooks: { priceUsages } }),
    db,
    documents: createEmbeddedDocumentStore(home),
    home: createHome(db, null),
    live,
    billing: createBillingSource(config, log),
    log,
  };
  setAppRuntime(runtime);
  return {
    runtime,
    db,
    home,
    async close() {
      await live.close();
      await db.$client.end();
      await database.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The headers of a script that speaks for a role. */
export async function bearer(role: Role): Promise<Record<string, string>> {
  return {
    authorization: `Bearer ${await signToken(AUTH_SECRET, { id: `test-${role}`, name: role, role })}`,
  };
}

/** The headers that a signed-in person's browser sends from one of our own pages. */
export async function browser(role: Role): Promise<Record<string, string>> {
  const token = { sub: `local-${role}`, name: `Local ${role}`, role };
  const cookie = await encode({ token, secret: AUTH_SECRET });
  return { cookie: `next-auth.session-token=${cookie}`, origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
}

type Handler = (
  request: Request,
  segments: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>;

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Record<string, string>;
  readonly query?: string;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly signal?: AbortSignal;
}

/** Calls a route handler as Next would. */
export async function call(handler: Handler, options: Call = {}): Promise<Response> {
  const headers = new Headers({ host: new URL(ORIGIN).host, ...options.headers });
  const given = options.json === undefined ? options.body : JSON.stringify(options.json);
  if (options.json !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/json');
  const body = given instanceof FormData ? await asArrives(given, headers) : given;
  const request = new Request(`${ORIGIN}/${options.query ?? ''}`, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    body,
    signal: options.signal,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);
  return handler(request, { params: Promise.resolve(options.params ?? {}) });
}

/**
 * A form as a server gets it: a stream of our own. The one that Node makes of a form throws outside of everything when it
 * is cancelled as it ends.
 */
async function asArrives(data: FormData, headers: Headers): Promise<ReadableStream<Uint8Array>> {
  const encoded = new Response(data);
  headers.set('content-type', encoded.headers.get('content-type') ?? '');
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  return new ReadableStream({
    start(out) {
      out.enqueue(bytes);
      out.close();
    },
  });
}

/** A multipart body: fields, then files. */
export function form(
  fields: Record<string, string>,
  files: readonly (readonly [string, BlobPart])[],
): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  for (const [name, content] of files)
    data.append('files', new File([content], name, { type: 'application/pdf' }));
  return data;
}
