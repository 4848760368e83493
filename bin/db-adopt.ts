import os from 'node:os';
import { config } from '@/lib/config/config';
import { createDb } from '@/lib/db/client';
import { adoptHome, checkHome } from '@/lib/queue/home';
import { placeName } from '@/lib/runtime';
import { runCommand } from './cli/cli-error';
import { findDatabase } from './cli/running-database';

await runCommand(async () => {
  const settings = config();
  // From elsewhere by DATABASE_URL, a branch of Lakebase is named by LAKEBASE_ENDPOINT.
  const named = placeName(settings);
  const db = createDb(await findDatabase(settings), { applicationName: 'tickmark adopt', max: 2 });
  try {
    if (await checkHome(db, named)) {
      process.stderr.write('this database is live here already\n');
      return 0;
    }
    const ended = await adoptHome(db, { named, actor: `command line of ${os.userInfo().username}` });
    process.stderr.write(`this database is live here now; ${ended} attempts of the original are done anew\n`);
    return 0;
  } finally {
    await db.$client.end();
  }
});
