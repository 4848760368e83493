import { config } from '@/lib/config/config';
import { runCommand } from './cli/cli-error';
import { findDatabaseUrl } from './cli/running-database';

await runCommand(async () => {
  process.stdout.write(`${await findDatabaseUrl(config())}\n`);
  return 0;
});
