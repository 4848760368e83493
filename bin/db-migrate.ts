import path from 'node:path';
import { config } from '@/lib/config/config';
import { migrate } from '@/lib/db/migrate';
import { startEmbeddedPostgres } from '@/lib/embedded-postgres/server';
import { runCommand } from './cli/cli-error';
import { findDatabase } from './cli/running-database';
import { root } from './root.mjs';
import { prepareDataFolder } from './supervisor/data-folder';
import { readInstance, takeDataFolder } from './supervisor/instance';

const MIGRATIONS = path.join(root, 'drizzle');

await runCommand(async () => {
  const settings = config();
  const runs =
    settings.databaseUrl || settings.databricks || (await readInstance(settings.home))?.databaseUrl;
  if (runs) await migrate(await findDatabase(settings), MIGRATIONS);
  else await migrateAtRest(settings.home);
  process.stderr.write('the schema is up to date\n');
  return 0;
});

/** Nothing runs on the data folder: its server is started for the migrations alone. */
async function migrateAtRest(home: string): Promise<void> {
  await prepareDataFolder(home);
  const giveBack = await takeDataFolder(home);
  try {
    const server = await startEmbeddedPostgres({ home, logFile: path.join(home, 'logs', 'postgres.log') });
    try {
      await migrate(server.url, MIGRATIONS);
    } finally {
      await server.stop();
    }
  } finally {
    giveBack();
  }
}
