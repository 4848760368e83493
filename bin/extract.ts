import path from 'node:path';
import { Command } from 'commander';
import { config } from '@/lib/config/config';
import { parseArguments, typedIn } from './cli/arguments';
import { type Attached, attach } from './cli/attach';
import { CliError, runCommand } from './cli/cli-error';
import { type Entry, makeEntry, prepareOut, writeEntries } from './cli/entries';
import { expandFiles, type InputFile } from './cli/files';
import { followTasks, readTasks } from './cli/follow';
import { showProgress } from './cli/progress';
import { createExtraction, type NewExtraction, type Submitted, uploadFiles } from './cli/submit';

interface Options {
  readonly agent: string;
  readonly client?: string;
  readonly name?: string;
  readonly priority?: string;
  readonly json?: boolean;
  readonly out?: string;
}

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const command = parseArguments(
    new Command('extract')
      .description('Reads PDFs and gives back their fields.')
      .argument('<file...>', 'PDF files, or folders with PDFs in them')
      .option(
        '--agent <id>',
        'invoice, contract, financial-report, general, or auto, which finds out',
        'auto',
      )
      .option('--client <name>', 'whose documents they are')
      .option('--name <name>', 'what to call this extraction')
      .option('--priority <number>', '0 to 100, higher goes first')
      .option('--json', 'print one JSON array and nothing else')
      .option('--out <folder>', 'also write one JSON file per document'),
  );
  if (!command) return 0;
  const options = command.opts<Options>();
  const cwd = typedIn('extract');
  const fields = readFields(options);
  const files = await expandFiles(command.args, cwd);
  const out = options.out === undefined ? null : path.resolve(cwd, options.out);
  if (out) await prepareOut(out);
  const settings = config();
  const attached = await attach(settings, say);
  try {
    const { entries, tasks } = await extract(attached, fields, files);
    if (out) await writeEntries(out, entries, tasks);
    if (options.json) await print(`${JSON.stringify(entries, null, 2)}\n`);
    else await print(entries.map(asText).join(''));
    return entries.every((entry) => entry.status === 'completed') ? 0 : 1;
  } finally {
    await attached.release();
  }
}

function readFields({ agent, client, name, priority }: Options): NewExtraction {
  const number = priority === undefined ? undefined : Number(priority);
  if (number !== undefined && !(Number.isInteger(number) && number >= 0 && number <= 100)) {
    throw new CliError(`--priority ${priority}: a whole number from 0 to 100`, 2);
  }
  return { agent, client, name, priority: number };
}

async function extract(attached: Attached, fields: NewExtraction, files: readonly InputFile[]) {
  const { api } = attached;
  const extractionId = await createExtraction(api, fields);
  const submitted = await upload(attached, extractionId, files);
  const taskIds = submitted.flatMap(({ taskId }) => (taskId === null ? [] : [taskId]));
  // Whatever happens on the way, each file gets its entry.
  await follow(attached, extractionId, taskIds).catch((error: Error) => say(error.message));
  const tasks = await readTasks(api, taskIds);
  const entries = submitted.map((one) => makeEntry(one, fields.agent, tasks.get(one.taskId ?? '')));
  for (const entry of entries) {
    if (entry.error) say(`${entry.file}: ${entry.status}, ${entry.error.code}: ${entry.error.message}`);
  }
  return { entries, tasks };
}

async function upload(
  { api }: Attached,
  extractionId: string,
  files: readonly InputFile[],
): Promise<Submitted[]> {
  const progress = showProgress('uploaded', files.length);
  let done = 0;
  const submitted = await uploadFiles(api, extractionId, files, () => {
    done += 1;
    progress.update(done);
  });
  progress.end();
  return submitted;
}

async function follow(
  { api, lost }: Attached,
  extractionId: string,
  taskIds: readonly string[],
): Promise<void> {
  if (taskIds.length === 0) return;
  const progress = showProgress('finished', taskIds.length);
  const ended = lost.then((words) => {
    throw new CliError(words);
  });
  await Promise.race([
    followTasks(api, extractionId, taskIds, (final) => progress.update(final)),
    ended,
  ]).finally(() => progress.end());
}

function asText(entry: Entry): string {
  const mark = entry.status === 'completed' ? '✓' : '✗';
  const confidence = entry.confidence === null ? '' : `, ${Math.round(entry.confidence * 100)} % confident`;
  const head = `${mark} ${entry.file}: ${entry.documentType ?? entry.status}${confidence}\n`;
  const lines = Object.entries(entry.fields).map(([name, value]) => `    ${name}: ${shorten(value)}\n`);
  return head + lines.join('');
}

function shorten(value: unknown): string {
  if (value === null) return '–';
  return Array.isArray(value) && typeof value[0] === 'object' ? `${value.length} lines` : String(value);
}

/** A pipe takes more than it holds only bit by bit: wait, so that the end of a long array is not cut off. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

await runCommand(main);
