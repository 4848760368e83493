import { Command } from 'commander';
import { config } from '@/lib/config/config';
import { createDb } from '@/lib/db/client';
import { rebuildFigures } from '@/lib/figures/rebuild';
import { parseArguments } from './cli/arguments';
import { runCommand } from './cli/cli-error';
import { findDatabaseUrl } from './cli/running-database';

await runCommand(async () => {
  const command = parseArguments(
    new Command('figures:rebuild').description(
      'Makes the sums and sorted lists of the dashboard anew from the tasks; everything else goes on meanwhile.',
    ),
  );
  if (!command) return 0;
  const db = createDb(await findDatabaseUrl(config()), { applicationName: 'tickmark figures' });
  try {
    const tasks = await rebuildFigures(db, (step) => process.stderr.write(`${step}\n`));
    process.stderr.write(`figures of ${tasks} tasks are made anew\n`);
    return 0;
  } finally {
    await db.$client.end();
  }
});
