import { access, constants, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import path from 'node:path';
import type { Config } from '@/lib/config/schema';
import type { Instance } from '../supervisor/instance';
import { checkPort } from '../supervisor/ports';
import { type Finding, note, ok, problem } from './finding';

const GIB = 1024 ** 3;
const LITTLE_DISK_GIB = 2;
/** One run may take 1.5 GB before it is stopped. */
const RUN_GIB = 1.5;

/** Node, memory, disk, data folder, port. */
export async function checkMachine(config: Config, instance: Instance | null): Promise<Finding[]> {
  return [
    ok(`Node.js ${process.versions.node} on ${process.platform}-${process.arch}`),
    checkMemory(config),
    await checkDataFolder(config.home),
    await checkDisk(config.home),
    await checkListening(config, instance),
  ];
}

function checkMemory(config: Config): Finding {
  const slots = config.runnerSlots ?? availableParallelism();
  const total = totalmem() / GIB;
  const words = `${slots} runs at once, ${total.toFixed(1)} GB of memory, ${(freemem() / GIB).toFixed(1)} GB free`;
  if (total >= slots * RUN_GIB + 1) return ok(words);
  return note(`${words}: large documents may exhaust it; set TICKMARK_RUNNER_SLOTS lower`);
}

async function checkDataFolder(home: string): Promise<Finding> {
  try {
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(`data folder ${home} can be written`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return note(`data folder ${home} is not there yet; npm start makes it`);
    }
    return problem(
      `TICKMARK_HOME: ${home} can't be written (${(error as Error).message}). Change its owner or the setting`,
    );
  }
}

async function checkDisk(home: string): Promise<Finding> {
  const info = await statfs(home).catch(() => statfs(path.dirname(home)).catch(() => null));
  if (!info) return note('free disk space can not be read');
  const free = (info.bavail * info.bsize) / GIB;
  const words = `${free.toFixed(1)} GB of disk free for the data folder`;
  return free < LITTLE_DISK_GIB
    ? problem(`${words}: make room, or move TICKMARK_HOME to a larger disk`)
    : ok(words);
}

async function checkListening(config: Config, instance: Instance | null): Promise<Finding> {
  if (instance) return ok(`running at ${instance.url} (process ${instance.pid}, ${instance.state})`);
  try {
    await checkPort(config.host, config.port, 'PORT');
    return ok(`not running; port ${config.port} on ${config.host} is free`);
  } catch (error) {
    return problem((error as Error).message);
  }
}
