import { config } from '@/lib/config/config';
import { createDb } from '@/lib/db/client';
import { maskDatabase, requireMaskable } from '@/lib/masking/mask-database';
import { placeName } from '@/lib/runtime';
import { runCommand } from './cli/cli-error';
import { confirmEnvironment, parseEnvironment } from './cli/confirm-environment';
import { findDatabase } from './cli/running-database';

await runCommand(async () => {
  const asked = parseEnvironment(
    'db:mask',
    'Takes names, values, words and people out of a copied database, for good.',
  );
  if (!asked) return 0;
  const settings = config();
  const named = placeName(settings);
  const db = createDb(await findDatabase(settings), {
    applicationName: 'tickmark mask',
    max: 2,
    statementTimeoutMs: 0,
  });
  try {
    await requireMaskable(db, named);
    await confirmEnvironment(db, 'db:mask', asked.typed);
    await maskDatabase(db, named);
    process.stderr.write('names, values, words of errors and people are masked\n');
    return 0;
  } finally {
    await db.$client.end();
  }
});
