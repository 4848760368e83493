import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { config } from '@/lib/config/config';
import { type Config, ConfigError } from '@/lib/config/schema';
import { loadSecrets } from '@/lib/config/secrets';
import { createDb, type DatabaseAddress } from '@/lib/db/client';
import { waitForSchema } from '@/lib/db/wait-for-schema';
import { createLogger } from '@/lib/log';
import { readSettings } from '@/lib/queue/settings';
import { databaseCredentials } from '@/lib/runtime';
import { currentApp, markInUse } from './build-app.mjs';
import { root } from './root.mjs';
import { Child } from './supervisor/child';
import { ChildLog } from './supervisor/child-log';
import { prepareDataFolder } from './supervisor/data-folder';
import { freePort } from './supervisor/ports';
import { rulesModel, type Surroundings, surroundingEnvironment } from './supervisor/processes';
import { withPublicUrl } from './supervisor/public-url';
import { EXIT, StartError } from './supervisor/start-error';

const APP_GRACE_MS = 3000;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** One process alone against DATABASE_URL, in this very process: whoever runs it signals it directly. */
async function main(which: 'app' | 'worker'): Promise<void> {
  const settings = await withPublicUrl(config());
  if (!settings.databaseUrl && !settings.databricks) {
    throw new StartError(
      `DATABASE_URL: npm run start:${which} needs it (npm start brings its own)`,
      EXIT.wrongSetting,
    );
  }
  await prepareDataFolder(settings.home);
  const database = databaseCredentials(settings, createLogger('start', settings.logLevel));
  await checkDatabase(settings, database);
  const around: Surroundings = {
    config: settings,
    secrets: await loadSecrets(settings),
    database,
    dist: path.join(root, 'dist'),
    modelPort: which === 'worker' && !settings.model ? await freePort() : null,
  };
  Object.assign(process.env, surroundingEnvironment(around));
  if (around.modelPort !== null) startModel(around);
  if (which === 'worker') {
    await load(path.join(root, 'dist', 'worker.mjs'));
    return;
  }
  const folder = currentApp();
  if (!folder) throw new StartError('the app is not built: run npm run build');
  markInUse(folder);
  endInTime();
  process.env.HOSTNAME = settings.host;
  process.chdir(folder);
  await load(path.join(folder, 'server.js'));
}

async function checkDatabase(settings: Config, database: DatabaseAddress): Promise<void> {
  const db = createDb(database, { applicationName: 'tickmark start', max: 1 });
  try {
    await waitForSchema(db);
    const row = await readSettings(db);
    const { maxConcurrentTasks, maxTpm } = settings.ceilings;
    warnIfOther('MAX_CONCURRENT_TASKS', maxConcurrentTasks, row.maxConcurrentTasks);
    warnIfOther('MAX_TPM', maxTpm, row.maxTpm);
  } finally {
    await db.$client.end();
  }
}

function warnIfOther(name: string, ours: number | null, stored: number | null): void {
  if (ours !== null && ours !== stored) {
    say(
      `${name}: ${ours} here, but ${stored ?? 'none'} in the database, which counts; npm start writes it there`,
    );
  }
}

function startModel(around: Surroundings): void {
  const file = path.join(around.config.home, 'logs', 'model.log');
  const log = new ChildLog('model', file, say, false);
  new Child(rulesModel(around), log, (how) => say(`model ended unasked (${how}); it starts again`)).start();
}

/** Next stops listening when told to end, and then waits for event streams, which end only when we do. */
function endInTime(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => setTimeout(() => process.exit(0), APP_GRACE_MS));
  }
}

async function load(file: string): Promise<void> {
  // Some read what they are from their own name there.
  process.argv.splice(1, process.argv.length, file);
  await import(pathToFileURL(file).href);
}

main(process.argv[2] === 'worker' ? 'worker' : 'app').catch((error: unknown) => {
  const expected = error instanceof StartError || error instanceof ConfigError;
  say(error instanceof Error ? (expected ? error.message : (error.stack ?? error.message)) : String(error));
  if (error instanceof StartError) process.exit(error.exitCode);
  process.exit(error instanceof ConfigError ? EXIT.wrongSetting : EXIT.failed);
});
