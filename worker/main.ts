import { fileURLToPath } from 'node:url';
import { config } from '@/lib/config/config';
import { createLogger } from '@/lib/log';
import { runWorkerProcess } from './worker-process';

const settings = config();
const besides = (name: string) => fileURLToPath(new URL(name, import.meta.url));

runWorkerProcess(
  settings,
  { host: besides('./host.mjs'), agent: besides('./agent.mjs'), inspect: besides('./inspect.mjs') },
  createLogger('worker', settings.logLevel),
);
