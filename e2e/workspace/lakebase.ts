import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DatabaseTokens } from './lakebase-credentials';
import { type Certificate, type LakebaseFront, startLakebaseFront } from './lakebase-front';

/** The database of the workspace: a database of a real server, whose role is the app's service principal. */
export interface LakebaseOptions {
  /** Connection string of the server's superuser. */
  readonly superuserUrl: string;
  /** The database; it is made where it is not there. */
  readonly database: string;
  /** Shown by the front: the clients have to trust it (NODE_EXTRA_CA_CERTS). */
  readonly certificate: Certificate;
}

export interface Lakebase extends LakebaseFront {
  /** What the platform injects for the first database resource [https://docs.databricks.com/aws/en/dev-tools/databricks-apps/lakebase]. */
  env(): Record<string, string>;
  /** Past the front, as the superuser: for looking at what the app wrote. */
  readonly adminUrl: string;
}

/**
 * Makes role and database and opens the front. The role is named by the client id and may connect and create schemas
 * (`CAN_CONNECT_AND_CREATE`); schema `public` is not its own.
 */
export async function startLakebase(
  options: LakebaseOptions,
  clientId: string,
  tokens: DatabaseTokens,
): Promise<Lakebase> {
  const { superuserUrl, database, certificate } = options;
  const password = randomBytes(24).toString('hex');
  const admin = new URL(superuserUrl);
  await withClient(admin.href, async (client) => {
    const there = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (there.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`);
    const role = pg.escapeIdentifier(clientId);
    await client.query(`create role ${role} login password ${pg.escapeLiteral(password)}`);
    await client.query(`grant connect, create on database ${pg.escapeIdentifier(database)} to ${role}`);
  });
  admin.pathname = `/${database}`;
  await withClient(admin.href, (client) => client.query('revoke all on schema public from public'));
  const upstream = { host: admin.hostname, port: Number(admin.port), role: clientId, password };
  const front = await startLakebaseFront(upstream, tokens, certificate);
  return Object.assign(Object.create(front) as LakebaseFront, {
    adminUrl: admin.href,
    env: () => ({
      PGHOST: '127.0.0.1',
      PGPORT: String(front.port),
      PGDATABASE: database,
      PGUSER: clientId,
      PGSSLMODE: 'require',
    }),
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
