import os from 'node:os';
import { config } from '@/lib/config/config';
import { createDb } from '@/lib/db/client';
import { adoptHome } from '@/lib/queue/adopt-home';
import { findWhereabouts } from '@/lib/queue/home';
import { placeName } from '@/lib/runtime';
import { runCommand } from './cli/cli-error';
import { confirmEnvironment, parseEnvironment } from './cli/confirm-environment';
import { findDatabase } from './cli/running-database';

await runCommand(async () => {
  const asked = parseEnvironment('db:adopt', 'Says that a copied database is the live one from now on.');
  if (!asked) return 0;
  const settings = config();
  // From elsewhere by DATABASE_URL, a branch of Lakebase is named by LAKEBASE_ENDPOINT.
  const named = placeName(settings);
  const db = createDb(await findDatabase(settings), { applicationName: 'tickmark adopt', max: 2 });
  try {
    const already = 'this database is live here already\n';
    if ((await findWhereabouts(db, named)).is === 'here') {
      process.stderr.write(already);
      return 0;
    }
    await confirmEnvironment(db, 'db:adopt', asked.typed);
    const returned = await adoptHome(db, { named, actor: `command line of ${os.userInfo().username}` });
    process.stderr.write(
      returned === null
        ? already
        : `this database is live here now; ${returned} tasks that were under way in the original wait anew\n`,
    );
    return 0;
  } finally {
    await db.$client.end();
  }
});
