import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate } from '@/lib/db/migrate';
import { readPointer } from '@/lib/embedded-postgres/cluster';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@/lib/embedded-postgres/server';
import { root } from '../root.mjs';
import { openWorld, type World, type WorldOptions } from './world';

const TEMPLATE = 'drill_template';

/** A PostgreSQL server of the drills' own, with its default guarantees: what a crash leaves is what is left. */
export class Arena {
  readonly #worlds = new Set<World>();

  private constructor(
    readonly home: string,
    private server: EmbeddedPostgres,
  ) {}

  static async open(): Promise<Arena> {
    const home = await mkdtemp(path.join(tmpdir(), 'tickmark-drill-'));
    const server = await startEmbeddedPostgres(serverOptions(home));
    const arena = new Arena(home, server);
    try {
      await arena.#query(`create database ${TEMPLATE}`);
      await migrate(withDatabase(server.url, TEMPLATE), path.join(root, 'drizzle'));
    } catch (error) {
      await arena.close();
      throw error;
    }
    return arena;
  }

  /** A database and a data folder of a drill's own. Closed with the arena at the latest. */
  async world(options: WorldOptions = {}): Promise<World> {
    const name = `drill_${randomBytes(6).toString('hex')}`;
    await this.#query(`create database ${name} template ${TEMPLATE}`);
    const home = path.join(this.home, name);
    await mkdir(home, { mode: 0o700 });
    const world = await openWorld(withDatabase(this.server.url, name), home, options);
    this.#worlds.add(world);
    return world;
  }

  /** Ends what a drill left running. */
  async clear(): Promise<void> {
    for (const world of this.#worlds) await world.close();
    this.#worlds.clear();
  }

  /** Ends all sessions of a world's database. */
  async terminateSessions(world: World): Promise<number> {
    const { rows } = await this.#query(
      'select count(pg_terminate_backend(pid))::integer as ended from pg_stat_activity where datname = $1',
      [new URL(world.databaseUrl).pathname.slice(1)],
    );
    return rows[0]?.ended ?? 0;
  }

  /** Stops the server, or lets it crash, and starts it on the same port. */
  async restartServer(how: 'stop' | 'crash'): Promise<void> {
    const { port } = this.server;
    if (how === 'stop') await this.server.stop();
    else {
      process.kill(this.server.pid, 'SIGQUIT');
      await this.server.exited;
    }
    this.server = await startEmbeddedPostgres({ ...serverOptions(this.home), port });
  }

  async close(): Promise<void> {
    try {
      await this.clear();
    } finally {
      await this.#closeServer();
    }
  }

  /** Also where a drill could not be cleared away: a server that nobody knows of would stay for ever. */
  async #closeServer(): Promise<void> {
    await this.server.stop();
    // As root the cluster lies outside, where PostgreSQL's account can reach it.
    const outside = (await readPointer(this.home))?.outside;
    if (outside) await rm(path.dirname(outside), { recursive: true, force: true });
    await rm(this.home, { recursive: true, force: true, maxRetries: 10 });
  }

  async #query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: withDatabase(this.server.superuserUrl, 'postgres') });
    await client.connect();
    try {
      if (text.startsWith('create database')) await client.query('set role tickmark');
      return await client.query(text, values);
    } finally {
      await client.end();
    }
  }
}

function serverOptions(home: string) {
  return { home, logFile: path.join(home, 'postgres.log') };
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
