import { Command } from 'commander';
import { config } from '@/lib/config/config';
import { createDb } from '@/lib/db/client';
import { rebuildFigures } from '@/lib/figures/rebuild';
import { parseArguments } from './cli/arguments';
import { runCommand } from './cli/cli-error';
import { findDatabase } from './cli/running-database';

await runCommand(async () => {
  const command = parseArguments(
    new Command('figures:rebuild')
      .description(
        'Makes the sums and sorted lists of the dashboard anew from the tasks; the queue goes on meanwhile.',
      )
      .option('--exclusive', 'the dashboard waits until it is done; several times as fast'),
  );
  if (!command) return 0;
  const db = createDb(await findDatabase(config()), { applicationName: 'tickmark figures' });
  try {
    const tasks = await rebuildFigures(db, {
      isExclusive: command.opts<{ exclusive?: boolean }>().exclusive ?? false,
      onStep: (step) => process.stderr.write(`${new Date().toISOString()} ${step}\n`),
    });
    process.stderr.write(`figures of ${tasks} tasks are made anew\n`);
    return 0;
  } finally {
    await db.$client.end();
  }
});
