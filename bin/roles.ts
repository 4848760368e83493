import os from 'node:os';
import { Command } from 'commander';
import { listAppRoles, setAppRole } from '@/lib/auth/app-roles';
import { config } from '@/lib/config/config';
import { Role } from '@/lib/contract/roles';
import { createDb, type Db } from '@/lib/db/client';
import { parseArguments } from './cli/arguments';
import { CliError, runCommand } from './cli/cli-error';
import { findDatabase } from './cli/running-database';

await runCommand(async () => {
  const command = parseArguments(
    new Command('roles')
      .description('Lists who was given which role on Databricks, or gives one, or takes it away.')
      .argument('[name]', 'e-mail address of a person, client id of a service principal, or numeric id')
      .argument('[role]', 'auditor, operator or admin; none takes it away'),
  );
  if (!command) return 0;
  const [name, role] = command.args;
  const db = createDb(await findDatabase(config()), { applicationName: 'tickmark roles', max: 1 });
  try {
    if (name) await give(db, name, role);
    for (const one of await listAppRoles(db)) process.stdout.write(`${one.role}\t${one.subject}\n`);
    return 0;
  } finally {
    await db.$client.end();
  }
});

async function give(db: Db, subject: string, given: string | undefined): Promise<void> {
  const role = given === 'none' ? null : Role.safeParse(given).data;
  if (role === undefined) throw new CliError('the role is one of auditor, operator, admin, none', 2);
  await setAppRole(db, { subject, role, actor: `command line of ${os.userInfo().username}` });
}
