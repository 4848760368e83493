import { access, constants, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TaskDetail } from '@/lib/contract/api';
import { Result } from '@/lib/contract/result';
import { makeFolder } from '@/lib/process/make-folder';
import { CliError } from './cli-error';
import type { Submitted } from './submit';

/** One line of `extract --json`; its names are fixed by the contract. */
export interface Entry {
  readonly file: string;
  readonly taskId: string | null;
  readonly status: TaskDetail['status'] | 'rejected';
  readonly agent: string;
  readonly documentType: string | null;
  readonly pages: number | null;
  readonly confidence: number | null;
  readonly fields: Record<string, unknown>;
  readonly warnings: Result['warnings'];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly llmCostUsd: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

const NOTHING = {
  documentType: null,
  pages: null,
  confidence: null,
  fields: {},
  warnings: [],
  inputTokens: 0,
  outputTokens: 0,
  llmCostUsd: null,
};

/** The entry of one file. `task` is missing when it was rejected, or when Tickmark was lost on the way. */
export function makeEntry(submitted: Submitted, agent: string, task: TaskDetail | undefined): Entry {
  const file = submitted.file.given;
  if (submitted.taskId === null) {
    const error = { code: submitted.code, message: submitted.message };
    return { file, taskId: null, status: 'rejected', agent, ...NOTHING, error };
  }
  if (!task) {
    const error = { code: 'internal', message: 'Tickmark did not tell what became of it' };
    return { file, taskId: submitted.taskId, status: 'enqueued', agent, ...NOTHING, error };
  }
  const result = Result.safeParse(task.result);
  const fields = result.success ? result.data.fields : [];
  return {
    file,
    taskId: task.id,
    status: task.status,
    agent: task.agent,
    documentType: result.success ? result.data.documentType : null,
    pages: task.pageCount,
    confidence: task.confidence,
    fields: Object.fromEntries(fields.map((field) => [field.name, field.value])),
    warnings: result.success ? result.data.warnings : [],
    inputTokens: task.inputTokens,
    outputTokens: task.outputTokens,
    llmCostUsd: task.llmCostUsd,
    error: task.status === 'completed' ? null : whyNot(task),
  };
}

function whyNot(task: TaskDetail): NonNullable<Entry['error']> {
  if (task.errorCode) return { code: task.errorCode, message: task.errorMessage ?? task.errorCode };
  if (task.status === 'cancelled') return { code: 'cancelled', message: 'it was cancelled' };
  return { code: 'internal', message: task.whyNotRunning ?? `it is still ${task.status}` };
}

/** Proves before any work is paid for that its outcome can be written there; throws {@link CliError} that names it. */
export async function prepareOut(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    if (!(await stat(folder)).isDirectory()) throw new Error('it is a file, not a folder');
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new CliError(`--out ${folder} can't be written: ${(error as Error).message}`, 2, { cause: error });
  }
}

/** Writes one file per document into a prepared folder: its entry, and the whole result with pages and boxes. */
export async function writeEntries(
  folder: string,
  entries: readonly Entry[],
  tasks: ReadonlyMap<string, TaskDetail>,
): Promise<void> {
  const used = new Map<string, number>();
  for (const entry of entries) {
    const base = path.basename(entry.file).replace(/\.pdf$/i, '');
    // Two files of one name must not become one.
    const count = (used.get(base.toLowerCase()) ?? 0) + 1;
    used.set(base.toLowerCase(), count);
    const name = count === 1 ? `${base}.json` : `${base} (${count}).json`;
    const result = entry.taskId ? (tasks.get(entry.taskId)?.result ?? null) : null;
    await writeFile(path.join(folder, name), `${JSON.stringify({ ...entry, result }, null, 2)}\n`);
  }
}
