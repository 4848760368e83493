import { randomBytes, randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SignIns } from './app-sign-in';
import type { Identities, Principal } from './identities';

/**
 * The proxy in front of a Databricks App: nobody is anonymous, and the app learns who asks from headers
 * [https://docs.databricks.com/aws/en/dev-tools/databricks-apps/http-headers, …/auth, …/connect-local].
 */
export interface AppProxySettings {
  /** Its own port; 0: a free one. */
  readonly port: number;
  /** Port of the app on this machine. */
  appPort: number;
  /** A request is cut after this long (databricks-agent-skills, platform-guide: 120 s, answered with 504). */
  requestMs: number;
  /** An event stream ends after this long without a word (databricks/appkit PR 318: 301.5 s). */
  streamMs: number;
  /** Event streams are handed on in bundles every so many milliseconds; 0: as they come. */
  bufferMs: number;
  /** Headers that the proxy does not know do not reach the app: not confirmed, and sources disagree. */
  dropUnknownHeaders: boolean;
  /** Callbacks of machines are refused as if their tokens were not accepted: a 302 to the sign-in. */
  refuseMachines: boolean;
}

export interface AppProxy {
  /** Where people and runs find the app. */
  readonly url: string;
  readonly settings: AppProxySettings;
  /** Requests of machines that were refused. */
  readonly refusedMachines: number;
  stop(): Promise<void>;
}

const COOKIE = 'databricks-app-session';
const CALLBACK = '/.auth/callback';
const KNOWN_HEADERS =
  /^(host|connection|content-(type|length|encoding)|transfer-encoding|accept(-encoding|-language)?|user-agent|cookie|origin|referer|range|if-[a-z-]+|cache-control|pragma|last-event-id|sec-[a-z-]+|upgrade-insecure-requests|next-[a-z-]+|rsc|expect|idempotency-key)$/;

export async function startAppProxy(
  identities: Identities,
  signIns: SignIns,
  workspaceHost: string,
  settings: AppProxySettings,
): Promise<AppProxy> {
  const sessions = new Map<string, Principal>();
  let refusedMachines = 0;
  let url = '';

  const signIn = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Where the visitor came by, so that the cookie is set for that name.
    const origin = `http://${incoming.headers.host}`;
    const target = new URL('/oidc/v1/authorize', workspaceHost);
    target.search = new URLSearchParams({
      response_type: 'code',
      redirect_uri: `${origin}${CALLBACK}`,
      state: incoming.url ?? '/',
    }).toString();
    outgoing.writeHead(302, { location: target.href }).end();
  };

  const callback = (address: URL, outgoing: ServerResponse) => {
    const person = signIns.redeem(address.searchParams.get('code') ?? '');
    if (!person) return void outgoing.writeHead(403, { 'content-type': 'text/plain' }).end('Sign in again.');
    const session = randomBytes(32).toString('base64url');
    sessions.set(session, person);
    const state = address.searchParams.get('state') ?? '/';
    outgoing
      .writeHead(302, {
        // A path of the app and nothing else.
        location: /^\/(?![/\\])/.test(state) ? state : '/',
        'set-cookie': `${COOKIE}=${session}; Path=/; HttpOnly; SameSite=Lax`,
      })
      .end();
  };

  const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const address = new URL(incoming.url ?? '/', url);
    if (address.pathname === CALLBACK) return callback(address, outgoing);
    const { authorization } = incoming.headers;
    const who =
      authorization === undefined ? sessions.get(sessionOf(incoming)) : machine(address, authorization);
    if (!who) return signIn(incoming, outgoing);
    if (!who.grants.has('app:CAN_USE') && !who.grants.has('app:CAN_MANAGE')) {
      return void outgoing.writeHead(403, { 'content-type': 'text/plain' }).end('You do not have access.');
    }
    pass(incoming, outgoing, headersFor(incoming, who, settings), settings);
  };

  /** Bearer tokens count under `/api/` only, and only those of OAuth: with a PAT one is sent to the sign-in. */
  const machine = (address: URL, authorization: string): Principal | undefined => {
    const token = identities.recognise(authorization);
    const accepted =
      token?.kind === 'oauth' && address.pathname.startsWith('/api/') && !settings.refuseMachines;
    if (!accepted) refusedMachines += 1;
    return accepted ? token.principal : undefined;
  };

  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(settings.port, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    settings,
    get refusedMachines() {
      return refusedMachines;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sessionOf(incoming: IncomingMessage): string {
  const pairs = (incoming.headers.cookie ?? '').split(/; */);
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
}

/** What the app sees: headers of the proxy's own are written by it, whatever the caller sent under their names. */
function headersFor(
  incoming: IncomingMessage,
  who: Principal,
  settings: AppProxySettings,
): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (/^x-forwarded-|^x-real-ip$|^x-request-id$/.test(name)) continue;
    // The caller's token does not reach the app (a community post; not confirmed).
    if (name === 'authorization') continue;
    if (settings.dropUnknownHeaders && !KNOWN_HEADERS.test(name)) continue;
    headers[name] = value;
  }
  headers.cookie = (incoming.headers.cookie ?? '')
    .split(/; */)
    .filter((pair) => pair !== '' && !pair.startsWith(`${COOKIE}=`))
    .join('; ');
  if (headers.cookie === '') delete headers.cookie;
  headers['x-forwarded-host'] = incoming.headers.host;
  headers['x-forwarded-proto'] = 'http';
  headers['x-forwarded-user'] = `${who.id}@7034567890123456`;
  headers['x-real-ip'] = '203.0.113.7';
  headers['x-request-id'] = randomUUID();
  if (who.kind === 'user') {
    headers['x-forwarded-email'] = who.name;
    headers['x-forwarded-preferred-username'] = who.displayName;
  }
  return headers;
}

function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: IncomingHttpHeaders,
  settings: AppProxySettings,
): void {
  const onward = request(
    { host: '127.0.0.1', port: settings.appPort, method: incoming.method, path: incoming.url, headers },
    (answer) => {
      const events = /^text\/event-stream/.test(answer.headers['content-type'] ?? '');
      if (events) {
        clearTimeout(cut);
        const end = setTimeout(() => outgoing.destroy(), settings.streamMs);
        outgoing.once('close', () => clearTimeout(end));
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      handOn(answer, outgoing, events ? settings.bufferMs : 0);
    },
  );
  const cut = setTimeout(() => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(504).end();
    onward.destroy();
  }, settings.requestMs);
  outgoing.once('close', () => {
    clearTimeout(cut);
    onward.destroy();
  });
  onward.on('error', () => {
    // Nobody listens on the app's port: it starts, or it has crashed.
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('App Not Available');
  });
  incoming.pipe(onward);
}

function handOn(answer: IncomingMessage, outgoing: ServerResponse, bufferMs: number): void {
  answer.on('error', () => outgoing.destroy());
  if (bufferMs === 0) return void answer.pipe(outgoing);
  let held: Buffer[] = [];
  const flush = () => {
    for (const chunk of held) outgoing.write(chunk);
    held = [];
  };
  const timer = setInterval(flush, bufferMs);
  answer.on('data', (chunk: Buffer) => held.push(chunk));
  answer.on('close', () => {
    clearInterval(timer);
    flush();
    outgoing.end();
  });
}
