import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { parseArguments, typedIn } from '@/bin/cli/arguments';
import { CliError, runCommand } from '@/bin/cli/cli-error';
import { Accounting } from './accounting';
import { Bench, type BenchOptions } from './bench';
import { readEnvironment } from './environment';
import { BenchPostgres } from './postgres';
import { BenchRedis } from './redis';
import { partText, type Reported, targetText, withParts } from './report';
import { PARTS } from './scenarios/catalogue';
import { summarise } from './summary';
import { killWorkers } from './worker-handle';

interface Options {
  readonly rounds: string;
  readonly tasks: string;
  readonly batch?: string;
  readonly connections?: string;
  readonly only?: string;
  readonly minutes: string;
  readonly limitSeconds: string;
  readonly history: string;
  readonly once?: boolean;
  readonly long?: boolean;
  readonly json?: boolean;
  readonly report?: string;
}

// What the packages measured against still call is their business.
process.noDeprecation = true;

const say = (text: string) => process.stderr.write(`${text}\n`);

async function main(): Promise<number> {
  const command = parseArguments(
    new Command('bench')
      .description(
        'Measures the queue beside others, on one machine and one PostgreSQL, in interleaved rounds.',
      )
      .argument('[parts...]', `default: all of ${Object.keys(PARTS).join(', ')}`)
      .option('--rounds <n>', 'rounds of what is measured in rounds', '3')
      .option('--tasks <n>', 'tasks in a drain', '50000')
      .option('--batch <n>', 'tasks that Tickmark claims at once (default: the best of a scan)')
      .option(
        '--connections <n>',
        'connections of a worker process of Tickmark (default: the best of a scan)',
      )
      .option('--only <expression>', 'only rows whose name matches')
      .option('--minutes <n>', 'how long the sustained run lasts', '15')
      .option('--limit-seconds <n>', 'how long eight processes claim under each limit', '60')
      .option('--history <n>', "finished tasks under the dashboard's figures", '5000000')
      .option('--once', 'never do a disturbed run again')
      .option('--long', 'also what takes minutes: how soon the others recover at their defaults')
      .option('--json', 'print one JSON object and nothing else')
      .option('--report <file>', 'write the tables between the marks in this document'),
  );
  if (!command) return 0;
  if (process.platform !== 'linux') throw new CliError('the bench reads /proc, so it needs Linux');
  const options = command.opts<Options>();
  const names = pickParts(command.args);
  const { reported, environment, failed } = await measure(
    names,
    readOptions(options),
    options.json ? say : print,
  );
  if (options.json) print(JSON.stringify({ ...environment, parts: reported.map(({ summary }) => summary) }));
  if (options.report) {
    const file = path.resolve(typedIn('bench'), options.report);
    await writeFile(file, withParts(await readFile(file, 'utf8'), reported, environment));
  }
  return failed ? 1 : 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function pickParts(names: readonly string[]): (keyof typeof PARTS)[] {
  const known = Object.keys(PARTS) as (keyof typeof PARTS)[];
  const unknown = names.filter((name) => !(name in PARTS));
  if (unknown.length > 0) {
    throw new CliError(`no such part: ${unknown.join(', ')}\nthere are ${known.join(', ')}`, 2);
  }
  return known.filter((name) => names.length === 0 || names.includes(name));
}

function readOptions(options: Options): BenchOptions {
  const { batch, connections, only } = options;
  return {
    rounds: count('rounds', options.rounds),
    tasks: count('tasks', options.tasks),
    minutes: count('minutes', options.minutes),
    limitSeconds: count('limit-seconds', options.limitSeconds),
    history: count('history', options.history),
    once: options.once ?? false,
    long: options.long ?? false,
    ...(batch ? { batch: count('batch', batch) } : {}),
    ...(connections ? { connections: count('connections', connections) } : {}),
    ...(only ? { only: new RegExp(only) } : {}),
  };
}

function count(name: string, given: string): number {
  const value = Number(given);
  if (!(value > 0)) throw new CliError(`--${name} ${given}: a number above 0 is wanted`, 2);
  return value;
}

async function measure(
  names: readonly (keyof typeof PARTS)[],
  options: BenchOptions,
  tell: (text: string) => void,
) {
  const postgres = await BenchPostgres.open();
  const redis = await BenchRedis.open().catch(async (error: unknown) => {
    await postgres.close();
    throw error;
  });
  const close = async () => {
    await redis?.close();
    await postgres.close();
  };
  try {
    if (!redis) say('redis-server is not on the PATH: what needs Redis is left out');
    const environment = readEnvironment({
      postgres: await postgres.version(),
      redis: redis?.version ?? null,
    });
    const accounting = new Accounting({ postgres: postgres.pid, redis: redis?.pid ?? null });
    const bench = new Bench(postgres, redis?.port ?? null, accounting, options, say);
    stopOnSignal(bench, close);
    const reported: Reported[] = [];
    for (const name of names) {
      const begun = performance.now();
      const part = await PARTS[name](bench);
      say(`${name} took ${((performance.now() - begun) / 1000).toFixed(0)} s`);
      const summary = summarise(part);
      reported.push({ summary, columns: part.columns });
      tell(
        [`\n${part.title}`, partText(summary, part.columns), ...summary.targets.map(targetText)].join('\n\n'),
      );
    }
    return { reported, environment, failed: bench.failed };
  } finally {
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
    await close();
  }
}

function stopOnSignal(bench: Bench, close: () => Promise<void>): void {
  const stop = (signal: NodeJS.Signals) => {
    say(`${signal}: stopping what the bench started`);
    bench.stopping = true;
    void killWorkers()
      .then(close)
      .finally(() => process.exit(130));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

await runCommand(main);
