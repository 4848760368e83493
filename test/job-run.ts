import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CallbackEnvelope } from '@/lib/contract/callback';
import type { RunInput } from '@/lib/contract/run-input';
import { JOB_CLIENT, type JobPlatform } from './job-platform';
import { INVOICE_AGENT, runInputForTest } from './run-input';

export const VOLUME = '/Volumes/main/tickmark/files';

/** A run as the app leaves it in the Volume. */
export interface JobRun {
  readonly attemptId: string;
  /** The path in the Volume that the job is told. */
  readonly input: string;
  readonly outbox: () => Promise<CallbackEnvelope | null>;
}

const mountOf = (folder: string) => path.join(folder, 'mount');

/**
 * Writes document and input of a new run into the Volume.
 * @param around.folder of the test; the Volume is mounted in it
 */
export async function newJobRun(
  around: { readonly folder: string; readonly platform: JobPlatform; readonly key: string },
  document: Buffer,
  change: Partial<RunInput>,
  filename: string,
): Promise<JobRun> {
  const { platform, key } = around;
  const onMount = (file: string) => path.join(mountOf(around.folder), file.slice('/Volumes'.length));
  const documentPath = `${VOLUME}/documents/ab/abc`;
  const input = runInputForTest({
    agent: INVOICE_AGENT,
    document: { path: documentPath, filename, sizeBytes: document.length, pageCount: 1 },
    callback: { url: platform.callbackUrl, key },
    model: {
      baseUrl: `${platform.origin}/serving-endpoints`,
      apiKey: null,
      name: 'stand-in',
      auth: 'run',
    },
    limits: { maxRunSeconds: 120, maxMemoryMb: 1_536, maxPages: 100 },
    ...change,
  });
  const runFolder = `${VOLUME}/runs/${input.attemptId}`;
  for (const file of [documentPath, `${runFolder}/input.json`]) {
    await mkdir(path.dirname(onMount(file)), { recursive: true });
  }
  await writeFile(onMount(documentPath), document);
  await writeFile(onMount(`${runFolder}/input.json`), JSON.stringify(input));
  return {
    attemptId: input.attemptId,
    input: `${runFolder}/input.json`,
    outbox: async () => {
      const content = await readFile(onMount(`${runFolder}/outbox.json`), 'utf8').catch(() => null);
      return content === null ? null : CallbackEnvelope.parse(JSON.parse(content));
    },
  };
}

/** What the task of the job finds in its environment. */
export function jobEnvironment(folder: string, platform: JobPlatform): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'test',
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    TMPDIR: folder,
    DATABRICKS_HOST: platform.origin,
    DATABRICKS_CLIENT_ID: JOB_CLIENT.id,
    DATABRICKS_CLIENT_SECRET: JOB_CLIENT.secret,
    TICKMARK_URL: platform.origin,
    TICKMARK_VOLUMES_ROOT: mountOf(folder),
  };
}
