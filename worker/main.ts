import { fileURLToPath } from 'node:url';
import { config } from '@/lib/config/config';
import { type Config, ConfigError } from '@/lib/config/schema';
import { createLogger } from '@/lib/log';
import { runWorkerProcess } from './worker-process';

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));

function readConfig(): Config {
  try {
    return config();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    createLogger('worker', 'info').fatal(error.message);
    process.exit(1);
  }
}

const settings = readConfig();
runWorkerProcess(
  settings,
  {
    host: beside('./host.mjs'),
    agent: beside('./agent.mjs'),
    program: beside('./agent-program.mjs'),
    inspect: beside('./inspect.mjs'),
  },
  createLogger('worker', settings.logLevel),
);
