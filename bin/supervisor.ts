import { readAgentsFile } from '@/lib/config/agents-file';
import { config } from '@/lib/config/config';
import { type Config, ConfigError } from '@/lib/config/schema';
import { prepareDataFolder } from './supervisor/data-folder';
import { removeInstance, takeDataFolder, wasKilled } from './supervisor/instance';
import { checkPort } from './supervisor/ports';
import { Session } from './supervisor/session';
import { EXIT, StartError } from './supervisor/start-error';

/** npm sends its own copy of a Ctrl-C: what follows this soon is the same one. */
const SAME_KEYSTROKE_MS = 1000;
const FORCED_EXIT = 130;
const LEFTOVER_PATIENCE_MS = 5000;

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const settings = readConfig();
  await prepareDataFolder(settings.home);
  const giveBack = await takeDataFolder(settings.home);
  const killed = await wasKilled(settings.home);
  const session = new Session(settings, process.argv[2] === 'dev', say);
  const end = once(async (code: number) => {
    await session.stop().catch((error: unknown) => say(`stopping: ${words(error)}`));
    await removeInstance(settings.home).catch(() => {});
    giveBack();
    process.exit(code);
  });
  endOnSignals(session, end);
  try {
    const setting = process.env.DATABRICKS_APP_PORT ? 'DATABRICKS_APP_PORT' : 'PORT';
    // What a killed start left behind is just ending and may still hold the port.
    await checkPort(settings.host, settings.port, setting, killed ? LEFTOVER_PATIENCE_MS : 0);
    await session.start();
  } catch (error) {
    if (!session.stopping) say(words(error));
    await end(error instanceof StartError ? error.exitCode : EXIT.failed);
  }
}

function readConfig(): Config {
  try {
    const settings = config();
    // The worker reads it; what is wrong with it is told here, before anything is started.
    if (settings.agentsFile) readAgentsFile(settings.agentsFile);
    return settings;
  } catch (error) {
    if (error instanceof ConfigError)
      throw new StartError(error.message, EXIT.wrongSetting, { cause: error });
    throw error;
  }
}

function endOnSignals(session: Session, end: (code: number) => Promise<void>): void {
  let askedAt = 0;
  const onSignal = () => {
    const now = Date.now();
    if (askedAt === 0) {
      askedAt = now;
      void end(0);
    } else if (now - askedAt > SAME_KEYSTROKE_MS) {
      say('stopping at once');
      session.kill();
      process.exit(FORCED_EXIT);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', (error) => {
    say(words(error));
    void end(EXIT.failed);
  });
}

function once(work: (code: number) => Promise<void>): (code: number) => Promise<void> {
  let running: Promise<void> | undefined;
  return (code) => {
    running ??= work(code);
    return running;
  };
}

/** An expected refusal is one line; anything else is a defect and shows where it is. */
function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof StartError || !error.stack ? error.message : error.stack;
}

main().catch((error: unknown) => {
  say(words(error));
  process.exit(error instanceof StartError ? error.exitCode : EXIT.failed);
});
