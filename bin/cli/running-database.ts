import type { Config } from '@/lib/config/schema';
import { type DatabaseAddress, withSearchPath } from '@/lib/db/client';
import { createLogger } from '@/lib/log';
import { databaseCredentials } from '@/lib/runtime';
import { readInstance } from '../supervisor/instance';
import { CliError } from './cli-error';

/** The database that is set (DATABASE_URL, Lakebase), else that of the instance on the data folder. */
export async function findDatabase(config: Config): Promise<DatabaseAddress> {
  if (config.databaseUrl || config.databricks) {
    return databaseCredentials(config, createLogger('cli', config.logLevel));
  }
  const url = (await readInstance(config.home))?.databaseUrl;
  if (url) return { url };
  throw new CliError(
    `no Tickmark runs on the data folder ${config.home}: start it (npm start), or set DATABASE_URL`,
  );
}

/** Its connection string, with the search path in it. Where passwords expire, with one that holds for an hour at most. */
export async function findDatabaseUrl(config: Config): Promise<string> {
  const { url, password } = await findDatabase(config);
  if (!password) return withSearchPath(url);
  const withPassword = new URL(url);
  withPassword.password = encodeURIComponent(await password());
  return withSearchPath(withPassword.href);
}
