import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { root } from '@/bin/root.mjs';
import { migrate } from '@/lib/db/migrate';
import { readPointer } from '@/lib/embedded-postgres/cluster';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@/lib/embedded-postgres/server';

/** All else is PostgreSQL's default, `fsync` and `synchronous_commit` on. */
export const SETTINGS = { shared_buffers: '1GB', max_wal_size: '4GB', max_connections: '200' };

const TEMPLATE = 'bench_template';

/** The bench's own PostgreSQL, on 127.0.0.1, in a folder that goes away with it. */
export class BenchPostgres {
  #databases = 0;

  private constructor(
    readonly home: string,
    private readonly server: EmbeddedPostgres,
  ) {}

  static async open(): Promise<BenchPostgres> {
    const home = await mkdtemp(path.join(tmpdir(), 'tickmark-bench-'));
    const logFile = path.join(home, 'postgres.log');
    const server = await startEmbeddedPostgres({ home, logFile, settings: SETTINGS });
    const bench = new BenchPostgres(home, server);
    try {
      await bench.#maintain(`create database ${TEMPLATE} owner tickmark`);
      await migrate(bench.#url('tickmark', TEMPLATE), path.join(root, 'drizzle'));
    } catch (error) {
      await bench.close();
      throw error;
    }
    return bench;
  }

  get pid(): number {
    return this.server.pid;
  }

  /**
   * A new database and its connection string: with Tickmark's schema and as Tickmark's role, or empty and as the
   * superuser, who has no search path of ours.
   */
  async fresh(contents: 'tickmark' | 'empty'): Promise<string> {
    this.#databases += 1;
    const name = `bench_${this.#databases}`;
    const template = contents === 'tickmark' ? `template ${TEMPLATE} owner tickmark` : '';
    await this.#maintain(`create database ${name} ${template}`);
    return this.#url(contents === 'tickmark' ? 'tickmark' : 'postgres', name);
  }

  /** As before a measurement: statistics, visibility map and a checkpoint, so that none of it falls into its time. */
  async settle(databaseUrl: string): Promise<void> {
    await this.asSuperuser(databaseUrl, async (client) => {
      await client.query('vacuum analyze');
      await client.query('checkpoint');
    });
  }

  async drop(databaseUrl: string): Promise<void> {
    await this.#maintain(`drop database ${nameOf(databaseUrl)} with (force)`);
  }

  /** Runs `work` in a session of the superuser on this database. */
  async asSuperuser<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.#url('postgres', nameOf(databaseUrl)) });
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async version(): Promise<string> {
    return this.asSuperuser(this.server.superuserUrl, async (client) => {
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]?.server_version ?? '';
    });
  }

  async close(): Promise<void> {
    await this.server.stop();
    // As root the cluster lies outside, where PostgreSQL's account can reach it.
    const outside = (await readPointer(this.home))?.outside;
    if (outside) await rm(path.dirname(outside), { recursive: true, force: true });
    await rm(this.home, { recursive: true, force: true, maxRetries: 10 });
  }

  async #maintain(statement: string): Promise<void> {
    await this.asSuperuser(this.server.superuserUrl, (client) => client.query(statement));
  }

  #url(role: 'tickmark' | 'postgres', database: string): string {
    const url = new URL(role === 'postgres' ? this.server.superuserUrl : this.server.url);
    url.pathname = `/${database}`;
    return url.href;
  }
}

function nameOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1);
}
