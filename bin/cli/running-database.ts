import type { Config } from '@/lib/config/schema';
import { withSearchPath } from '@/lib/db/client';
import { readInstance } from '../supervisor/instance';
import { CliError } from './cli-error';

/** Connection string of DATABASE_URL, else of the instance on the data folder, with the search path in it. */
export async function findDatabaseUrl(config: Config): Promise<string> {
  const url = config.databaseUrl ?? (await readInstance(config.home))?.databaseUrl;
  if (url) return withSearchPath(url);
  throw new CliError(
    `no Tickmark runs on the data folder ${config.home}: start it (npm start), or set DATABASE_URL`,
  );
}
