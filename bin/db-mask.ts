import { config } from '@/lib/config/config';
import { createDb } from '@/lib/db/client';
import { maskDatabase } from '@/lib/masking/mask-database';
import { placeName } from '@/lib/runtime';
import { runCommand } from './cli/cli-error';
import { findDatabase } from './cli/running-database';

await runCommand(async () => {
  const settings = config();
  const db = createDb(await findDatabase(settings), {
    applicationName: 'tickmark mask',
    max: 2,
    statementTimeoutMs: 0,
  });
  try {
    await maskDatabase(db, placeName(settings));
    process.stderr.write('names, values, words of errors and people are masked\n');
    return 0;
  } finally {
    await db.$client.end();
  }
});
