import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@/lib/config/schema';
import { createDb, type DatabaseAddress } from '@/lib/db/client';
import { isConnectionLoss } from '@/lib/db/connection-loss';
import { failureReason } from '@/lib/db/failure-reason';
import { migrate } from '@/lib/db/migrate';
import { writeCeilings } from '@/lib/queue/settings';
import { EXIT, StartError } from './start-error';

const TRIES = 5;

/** Brings the schema up to date and writes the ceilings over all agents, which only a start may set. */
export async function prepareDatabase(
  config: Config,
  database: DatabaseAddress,
  migrations: string,
): Promise<void> {
  await migrateWithPatience(config, database, migrations);
  const db = createDb(database, { applicationName: 'tickmark start', max: 1 });
  try {
    await writeCeilings(db, config.ceilings);
  } finally {
    await db.$client.end();
  }
}

// A database that sleeps when unused, as Lakebase does, refuses its first callers.
async function migrateWithPatience(
  config: Config,
  database: DatabaseAddress,
  migrations: string,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await migrate(database, migrations);
      return;
    } catch (error) {
      if (isConnectionLoss(error) && tries < TRIES) {
        await delay(500 * tries);
        continue;
      }
      const [subject, exitCode] = config.databaseUrl
        ? ['DATABASE_URL: the database', EXIT.wrongSetting]
        : [`the database of the data folder ${config.home}`, EXIT.failed];
      throw new StartError(`${subject} can't be used: ${failureReason(error)}`, exitCode, { cause: error });
    }
  }
}
