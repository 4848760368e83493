import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import pg from 'pg';
import { config } from '@/lib/config/config';
import type { Config } from '@/lib/config/schema';
import { loadSecrets } from '@/lib/config/secrets';
import { attemptKey, signDelivery } from '@/lib/contract/signature';
import { parseArguments, typedIn } from './cli/arguments';
import { CliError, runCommand } from './cli/cli-error';
import { findDatabaseUrl } from './cli/running-database';
import { readInstance } from './supervisor/instance';

interface Options {
  readonly attempt: string;
  readonly type: string;
  readonly result?: string;
  readonly error?: string;
  readonly progress?: string;
  readonly id?: string;
  readonly url?: string;
  readonly repeat: string;
}

async function main(): Promise<number> {
  const command = parseArguments(
    new Command('callback')
      .description('Signs a callback as the agent of an attempt would, posts it and prints the answer.')
      .requiredOption('--attempt <id>', 'the attempt that reports')
      .requiredOption('--type <type>', 'succeeded, failed or progress')
      .option('--result <file>', 'JSON file with the result, for succeeded')
      .option('--error <code>', 'error code, for failed', 'internal')
      .option('--progress <done/total>', 'for progress', '1/2')
      .option('--id <webhook id>', 'same id = same delivery; default: a new one')
      .option('--url <origin>', 'default: the running instance')
      .option('--repeat <times>', 'send the same delivery so many times at once', '1'),
  );
  if (!command) return 0;
  const options = command.opts<Options>();
  const settings = config();
  const body = JSON.stringify({
    ...(await findAttempt(settings, options.attempt)),
    ...(await readReport(options)),
  });
  const origin = options.url ?? (await readInstance(settings.home))?.url ?? settings.url;
  const key = attemptKey((await loadSecrets(settings)).webhookSecret, options.attempt);
  const id = options.id ?? `try_${randomUUID()}`;
  const answers = await Promise.all(
    Array.from({ length: Number(options.repeat) || 1 }, () => post(origin, key, id, body)),
  );
  for (const { status, text } of answers) process.stdout.write(`${status} ${text}\n`);
  return answers.every(({ status }) => status === 200) ? 0 : 1;
}

async function post(origin: string, key: string, id: string, body: string) {
  const signed = signDelivery(key, id, new Date(), body);
  const response = await fetch(`${origin.replace(/\/+$/, '')}/api/v1/callbacks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': signed.id,
      'webhook-timestamp': signed.timestamp,
      'webhook-signature': signed.signature,
    },
    body,
  });
  return { status: response.status, text: (await response.text()).trim() };
}

/** What only the database knows of an attempt. An unknown one is sent all the same: the answer is then a 404. */
async function findAttempt(settings: Config, attemptId: string) {
  const client = new pg.Client({ connectionString: await findDatabaseUrl(settings) });
  await client.connect();
  try {
    const { rows } = await client.query<{ taskId: string; runId: string | null; traceId: string | null }>(
      `select task_id as "taskId", run_id as "runId", trace_id as "traceId" from tickmark.task_attempts where id::text = $1`,
      [attemptId],
    );
    return { attemptId, ...(rows[0] ?? { taskId: randomUUID(), runId: null, traceId: null }) };
  } finally {
    await client.end();
  }
}

async function readReport(options: Options): Promise<object> {
  switch (options.type) {
    case 'succeeded':
      return { type: 'attempt.succeeded', result: await readResult(options.result) };
    case 'failed': {
      const error = { code: options.error, message: 'reported by npm run callback', retryable: false };
      return { type: 'attempt.failed', error };
    }
    case 'progress': {
      const [done, total] = (options.progress ?? '').split('/').map(Number);
      return { type: 'attempt.progress', progress: { done, total } };
    }
    default:
      throw new CliError(`--type ${options.type}: succeeded, failed or progress`, 2);
  }
}

async function readResult(file: string | undefined): Promise<unknown> {
  if (!file) throw new CliError('--result <file> is needed for a success', 2);
  try {
    return JSON.parse(await readFile(path.resolve(typedIn('callback'), file), 'utf8'));
  } catch (error) {
    throw new CliError(`--result ${file}: ${(error as Error).message}`, 2, { cause: error });
  }
}

await runCommand(main);
