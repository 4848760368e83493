import { Command } from 'commander';
import { sql } from 'drizzle-orm';
import { config } from '@/lib/config/config';
import { createDb } from '@/lib/db/client';
import { rebuildFigures } from '@/lib/figures/rebuild';
import { parseArguments } from './cli/arguments';
import { CliError, runCommand } from './cli/cli-error';
import { findDatabase } from './cli/running-database';
import { generateHistory } from './generate/history';

interface Options {
  readonly tasks: string;
  readonly months: string;
  readonly waiting: string;
  readonly more?: boolean;
}

const say = (text: string) => process.stderr.write(`${text}\n`);

async function main(): Promise<number> {
  const command = parseArguments(
    new Command('generate')
      .description('Fills a database with made-up history, to see how pages and figures do at size.')
      .option('--tasks <n>', 'finished tasks', '5000000')
      .option('--months <n>', 'over how many months until now', '18')
      .option('--waiting <n>', 'tasks that wait on top of that', '0')
      .option('--more', 'also into a database that has tasks already'),
  );
  if (!command) return 0;
  const options = command.opts<Options>();
  const db = createDb(await findDatabase(config()), {
    applicationName: 'tickmark generate',
    statementTimeoutMs: 0,
  });
  try {
    const { rows } = await db.execute<{ is_used: boolean }>(
      sql`select exists (select from tickmark.tasks) as is_used`,
    );
    if (rows[0]?.is_used && !options.more) {
      throw new CliError(
        'this database has tasks: made-up ones would mix with them (--more adds them all the same)',
        2,
      );
    }
    const began = performance.now();
    await generateHistory(db, {
      tasks: count(options.tasks, 'tasks'),
      months: count(options.months, 'months'),
      waiting: count(options.waiting, 'waiting'),
      onProgress: (done) => say(`${done} tasks`),
    });
    await db.execute(sql`analyze`);
    await rebuildFigures(db, { isExclusive: true, onStep: (step) => say(`figures: ${step}`) });
    await db.execute(sql`vacuum analyze`);
    say(`done in ${Math.round((performance.now() - began) / 1000)} s`);
    return 0;
  } finally {
    await db.$client.end();
  }
}

function count(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new CliError(`--${option}: needs a whole number`, 2);
  return value;
}

await runCommand(main);
