import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@/lib/config/schema';
import type { DatabaseAddress } from '@/lib/db/client';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@/lib/embedded-postgres/server';
import { createLogger } from '@/lib/log';
import { databaseCredentials } from '@/lib/runtime';

/** The database of this start: our own server, or somebody's. */
export interface Database {
  readonly address: DatabaseAddress;
  /** Fast shutdown of our own server, immediate after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Ends our own server at once; its next start recovers. */
  kill(): void;
}

/** Starts PostgreSQL on the data folder unless another is set (DATABASE_URL, Lakebase); keeps it running until `stop`. */
export async function openDatabase(config: Config, tell: (line: string) => void): Promise<Database> {
  if (config.databaseUrl || config.databricks) {
    const address = databaseCredentials(config, createLogger('start', config.logLevel));
    return { address, stop: async () => {}, kill: () => {} };
  }
  const options = { home: config.home, logFile: path.join(config.home, 'logs', 'postgres.log'), tell };
  let server = await startEmbeddedPostgres(options);
  let stopping = false;
  const port = server.port;

  // The others hold its address, so it comes back on the same port; their pools connect again by themselves.
  const keep = async (running: EmbeddedPostgres) => {
    await running.exited;
    for (let waitMs = 200; !stopping; waitMs = Math.min(waitMs * 2, 10_000)) {
      tell(`PostgreSQL ended unasked; it starts again in ${waitMs} ms`);
      await delay(waitMs);
      if (stopping) return;
      try {
        server = await startEmbeddedPostgres({ ...options, port });
        tell('PostgreSQL runs again');
        void keep(server);
        return;
      } catch (error) {
        tell((error as Error).message);
      }
    }
  };
  void keep(server);

  return {
    address: { url: server.url },
    stop: async (graceMs) => {
      stopping = true;
      await server.stop(graceMs);
    },
    kill: () => {
      stopping = true;
      try {
        process.kill(server.pid, 'SIGQUIT');
      } catch {
        // It has ended already.
      }
    },
  };
}
