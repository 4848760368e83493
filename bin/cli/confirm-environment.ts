import { Command } from 'commander';
import type { Db } from '@/lib/db/client';
import { readSettings } from '@/lib/queue/settings';
import { parseArguments } from './arguments';
import { CliError } from './cli-error';

/**
 * Parses `--environment ID`, for commands after which there is no way back; null when only help was asked for.
 */
export function parseEnvironment(name: string, description: string): { readonly typed?: string } | null {
  const command = parseArguments(
    new Command(name)
      .description(description)
      .option(
        '--environment <id>',
        'the environment id of the database that is meant; without it, it is told',
      ),
  );
  if (!command) return null;
  const { environment } = command.opts<{ environment?: string }>();
  return environment === undefined ? {} : { typed: environment };
}

/** Throws unless the id that was typed is this database's: the address may lead to another one than was meant. */
export async function confirmEnvironment(db: Db, name: string, typed: string | undefined): Promise<void> {
  const { environmentId } = await readSettings(db);
  if (typed === environmentId) return;
  const { rows } = await db.$client.query<{ database: string }>('select current_database() as database');
  throw new CliError(
    `the database ${rows[0]?.database} has the environment id ${environmentId}: if it is the one you mean, npm run ${name} -- --environment ${environmentId}`,
    2,
  );
}
