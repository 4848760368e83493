import path from 'node:path';
import { Command } from 'commander';
import { parseArguments, typedIn } from './cli/arguments';
import { CliError, runCommand } from './cli/cli-error';
import { Arena } from './drill/arena';
import { DRILLS } from './drill/catalogue';
import type { Drill, DrillResult, DrillTimes } from './drill/drill';
import { describeResult, writeReport } from './drill/report';

interface Options {
  readonly json?: boolean;
  readonly quick?: boolean;
  readonly report?: string;
  readonly awaySeconds?: string;
  readonly outageSeconds?: string;
  readonly snapshotSeconds?: string;
}

const FULL: DrillTimes = { away: 120, outage: 120, snapshot: 600 };
const QUICK: DrillTimes = { away: 25, outage: 20, snapshot: 20 };

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const command = parseArguments(
    new Command('drill')
      .description('Breaks things on purpose, real processes and a real database, and measures what holds.')
      .argument('[names...]', `default: all of ${DRILLS.map(({ name }) => name).join(', ')}`)
      .option('--json', 'print [{name, promise, measured, pass}] and nothing else')
      .option('--quick', 'shorten the long waits, for development')
      .option('--away-seconds <n>', `how long all workers are away (${FULL.away})`)
      .option('--outage-seconds <n>', `how long a provider or a runner is out of service (${FULL.outage})`)
      .option('--snapshot-seconds <n>', `how long a snapshot is held open (${FULL.snapshot})`)
      .option('--report <file>', 'write the results into the table of this document'),
  );
  if (!command) return 0;
  const options = command.opts<Options>();
  const drills = pick(command.args);
  const times = readTimes(options);
  const results = await runAll(drills, times, options.json ? say : console.log);
  if (options.json) console.log(JSON.stringify(results));
  if (options.report) {
    const file = path.resolve(typedIn('drill'), options.report);
    const on = `${new Date().toISOString().slice(0, 10)}${options.quick ? ' (`--quick`)' : ''}`;
    const names = DRILLS.map(({ name }) => name);
    await writeReport(file, results, names, on);
  }
  return results.every(({ pass }) => pass) ? 0 : 1;
}

function pick(names: readonly string[]): readonly Drill[] {
  const unknown = names.filter((name) => !DRILLS.some((drill) => drill.name === name));
  if (unknown.length > 0) {
    throw new CliError(
      `no such drill: ${unknown.join(', ')}\nthere are ${DRILLS.map(({ name }) => name).join(', ')}`,
      2,
    );
  }
  return names.length === 0 ? DRILLS : DRILLS.filter(({ name }) => names.includes(name));
}

function readTimes(options: Options): DrillTimes {
  const base = options.quick ? QUICK : FULL;
  const seconds = (given: string | undefined, usual: number) => {
    const value = given === undefined ? usual : Number(given);
    if (!(value >= 1 && value <= 7200)) throw new CliError(`${given}: seconds from 1 to 7200 are wanted`, 2);
    return value;
  };
  return {
    away: seconds(options.awaySeconds, base.away),
    outage: seconds(options.outageSeconds, base.outage),
    snapshot: seconds(options.snapshotSeconds, base.snapshot),
  };
}

async function runAll(
  drills: readonly Drill[],
  times: DrillTimes,
  tell: (line: string) => void,
): Promise<DrillResult[]> {
  const arena = await Arena.open();
  let isStopping = false;
  // npm hands a signal on that the process has got already: the second one must not cut this short.
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    say(`${signal}: stopping what the drills started`);
    void arena.close().finally(() => process.exit(130));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const results: DrillResult[] = [];
  try {
    for (const drill of drills) {
      say(`${drill.name} …`);
      const result = await runOne(drill, arena, times);
      results.push(result);
      tell(describeResult(result));
    }
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await arena.close();
  }
  return results;
}

/** A drill that can't be ended is one that failed. */
async function runOne(drill: Drill, arena: Arena, times: DrillTimes): Promise<DrillResult> {
  const { name, promise } = drill;
  try {
    const { measured, broken } = await drill.run(arena, times);
    const pass = broken.length === 0;
    return { name, promise, measured: pass ? measured : `${measured} · ${broken.join('; ')}`, pass };
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return { name, promise, measured: error instanceof Error ? error.message : String(error), pass: false };
  } finally {
    await arena.clear();
  }
}

await runCommand(main);
