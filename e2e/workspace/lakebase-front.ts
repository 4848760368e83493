import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import sasl from 'pg/lib/crypto/sasl.js';
import type { DatabaseTokens } from './lakebase-credentials';
import { FrameReader, fatal, frame, int32, startParameters } from './postgres-frames';

/** The real server behind, and the password of the role that tokens stand for. */
export interface Upstream {
  readonly host: string;
  readonly port: number;
  readonly role: string;
  readonly password: string;
}

/** PEM texts of the certificate that the front shows. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Stands before a real PostgreSQL and lets in who has a token that is good now. */
export interface LakebaseFront {
  readonly port: number;
  /** Sessions that are open. */
  readonly sessions: number;
  /** Logins that were refused. */
  readonly refused: number;
  /** Cuts all sessions, as a restart or a failover does. */
  cut(): void;
  stop(): Promise<void>;
}

const SSL_REQUEST = 80877103;
const CANCEL_REQUEST = 80877102;
const CLEARTEXT = 3;
const SASL = 10;

/**
 * Login by token: the password is asked for in clear (over TLS on the platform) and compared at login only
 * [https://docs.databricks.com/aws/en/oltp/projects/authentication]; a session that is open outlives its token. Error code and words for a
 * token that has expired are not confirmed.
 */
export async function startLakebaseFront(
  upstream: Upstream,
  tokens: DatabaseTokens,
  certificate: Certificate,
): Promise<LakebaseFront> {
  const open = new Set<Socket>();
  let refused = 0;
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    serve(client).catch(() => client.destroy());
  });

  const serve = async (plain: Socket): Promise<void> => {
    const before = new FrameReader(plain);
    const asked = await before.read(false);
    const code = asked.body.readInt32BE(0);
    if (code === CANCEL_REQUEST) return passCancel(upstream, plain, asked.body);
    if (code !== SSL_REQUEST) {
      // A token never travels in clear (databricks/cli `cmd/psql`).
      refused += 1;
      plain.end(fatal('08P01', `Invalid protocol version: ${code}`));
      return;
    }
    before.rest();
    plain.write('S');
    const client = new TLSSocket(plain, { isServer: true, ...certificate });
    client.on('error', () => client.destroy());
    const reader = new FrameReader(client);
    const start = await reader.read(false);
    if (start.body.readInt32BE(0) === CANCEL_REQUEST) return passCancel(upstream, client, start.body);
    const role = startParameters(start.body).get('user') ?? '';
    client.write(frame('R', int32(CLEARTEXT)));
    const { type, body } = await reader.read();
    const password = body.subarray(0, -1).toString('utf8');
    if (type !== 'p' || role !== upstream.role || !tokens.accepts(role, password)) {
      refused += 1;
      client.end(fatal('28P01', `password authentication failed for user "${role}"`));
      return;
    }
    const back = await logIn(upstream, start.body);
    const early = reader.rest();
    for (const socket of [client, back.socket]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    client.once('close', () => back.socket.destroy());
    back.socket.once('close', () => client.destroy());
    client.write(back.greeting);
    if (early.length > 0) back.socket.write(early);
    client.pipe(back.socket).pipe(client);
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get sessions() {
      return open.size / 2;
    },
    get refused() {
      return refused;
    },
    cut,
    async stop() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Opens a session at the real server with its own password and the client's start message. */
async function logIn(upstream: Upstream, start: Buffer): Promise<{ socket: Socket; greeting: Buffer }> {
  const socket = connect(upstream.port, upstream.host);
  socket.on('error', () => socket.destroy());
  const reader = new FrameReader(socket);
  socket.write(Buffer.concat([int32(start.length + 4), start]));
  let session: ReturnType<typeof sasl.startSession> | undefined;
  for (;;) {
    const { type, body } = await reader.read();
    if (type !== 'R' || body.readInt32BE(0) === 0) {
      return { socket, greeting: Buffer.concat([frame(type, body), reader.rest()]) };
    }
    const data = body.subarray(4).toString('utf8');
    if (body.readInt32BE(0) === SASL) {
      session = sasl.startSession(data.split('\0').filter(Boolean));
      const first = Buffer.from(session.response);
      const name = Buffer.from(`${session.mechanism}\0`);
      socket.write(frame('p', Buffer.concat([name, int32(first.length), first])));
    } else if (session && body.readInt32BE(0) === SASL + 1) {
      await sasl.continueSession(session, upstream.password, data);
      socket.write(frame('p', Buffer.from(session.response)));
    }
  }
}

function passCancel(upstream: Upstream, client: Socket, body: Buffer): void {
  const socket = connect(upstream.port, upstream.host);
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([int32(body.length + 4), body]));
  socket.once('close', () => client.destroy());
}
