import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createDb, type Db } from '@/lib/db/client';
import { seed } from '@/lib/db/seed';
import { createTestDatabase } from '../database';

/** The agents that a simulation uses. */
export const AGENTS = ['invoice', 'contract'] as const;
export const WORKERS = 3;
export const LEASE_SECONDS = 15;
/** In each lane the same (scene.sql). */
export const EXTRACTIONS = [
  '00000000-0000-4000-8000-00000000e000',
  '00000000-0000-4000-8000-00000000e001',
] as const;
export const DOCUMENT = '00000000-0000-4000-8000-00000000d000';

const sqlFile = (name: string) => readFile(fileURLToPath(new URL(name, import.meta.url)), 'utf8');

/** One connection that several may ask at once: they are served in turn. */
export class Connection {
  private last: Promise<unknown> = Promise.resolve();
  private constructor(private readonly client: pg.Client) {}

  static async open(connectionString: string): Promise<Connection> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return new Connection(client);
  }

  query<R extends pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>> {
    const next = this.last.catch(() => {}).then(() => this.client.query<R>(query as string, values));
    this.last = next;
    return next;
  }

  end(): Promise<void> {
    return this.client.end();
  }
}

/** A database of its own in which one sequence after another is played, with the connections for it. */
export class Lane {
  private constructor(
    readonly db: Db,
    /** For what is asked between two steps. */
    readonly watch: Connection,
    /** One session per worker; its locks are the worker's. */
    readonly sessions: readonly Connection[],
    /** Holds a snapshot open. */
    readonly reader: Connection,
    private readonly dispose: () => Promise<void>,
  ) {}

  /** @param plant mutates the database's functions, to see whether that is found */
  static async open(plant: (connection: Connection) => Promise<void> = async () => {}): Promise<Lane> {
    const database = await createTestDatabase();
    const db = createDb(database.url, { applicationName: 'simulation', max: 24 });
    await seed(db);
    const [watch, reader, ...sessions] = await Promise.all(
      Array.from({ length: WORKERS + 2 }, () => Connection.open(database.url)),
    );
    if (!watch || !reader) throw new Error('no connection');
    const lane = new Lane(db, watch, sessions, reader, async () => {
      await Promise.all([db.$client.end(), ...[watch, reader, ...sessions].map((client) => client.end())]);
      await database.close();
    });
    await plant(watch);
    await watch.query(await sqlFile('watch.sql'));
    await watch.query(await sqlFile('invariants.sql'));
    await watch.query(await sqlFile('scene.sql'));
    return lane;
  }

  close(): Promise<void> {
    return this.dispose();
  }

  /** Empties the queue. Deleting keeps all plans, which truncating would not, and these tables are small. */
  async reset(): Promise<void> {
    await this.reader.query('rollback');
    for (const session of this.sessions) await session.query('select pg_advisory_unlock_all()');
    await this.watch.query('select watch.reset()');
  }
}
