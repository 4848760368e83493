import { Command } from 'commander';
import { config } from '@/lib/config/config';
import { createDb } from '@/lib/db/client';
import { grantRead, READ_LEVELS, type ReadLevel } from '@/lib/db/grant-read';
import { parseArguments } from './cli/arguments';
import { CliError, runCommand } from './cli/cli-error';
import { findDatabase } from './cli/running-database';

await runCommand(async () => {
  const command = parseArguments(
    new Command('db:grant')
      .description('Lets a role of the database read: the results alone, or all that reports rely on.')
      .argument('<role>', 'on Lakebase an e-mail address, a client id or a group')
      .argument('[level]', Object.keys(READ_LEVELS).join(' or '), 'results'),
  );
  if (!command) return 0;
  const [role = '', level = 'results'] = command.args;
  if (!(level in READ_LEVELS)) throw new CliError(`the level is ${Object.keys(READ_LEVELS).join(' or ')}`, 2);
  const db = createDb(await findDatabase(config()), { applicationName: 'tickmark grant', max: 1 });
  try {
    await grantRead(db, role, level as ReadLevel);
    process.stderr.write(`${role} may read ${READ_LEVELS[level as ReadLevel].join(', ')}\n`);
    return 0;
  } finally {
    await db.$client.end();
  }
});
