import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RunInput } from '@/lib/contract/run-input';
import { mountedPath } from './volume-path';

/** A run's own copies on the local disk: a Volume is made for reading a file from beginning to end, once. */
export interface PreparedRun {
  /** `input.json` for the child: its document is the copy. */
  readonly inputPath: string;
  remove(): Promise<void>;
}

/** The input of a run, from the Volume. Throws what a person who looks into the run's log needs to read. */
export async function readRunInput(inputPath: string): Promise<RunInput> {
  return RunInput.parse(JSON.parse(await readFile(inputPath, 'utf8')));
}

/** Copies the document from the Volume to a folder of this run. */
export async function prepareRun(input: RunInput, volumesRoot: string): Promise<PreparedRun> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tickmark-run-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const document = path.join(folder, 'document.pdf');
    await copyFile(mountedPath(input.document.path, volumesRoot), document);
    const inputPath = path.join(folder, 'input.json');
    const local: RunInput = {
      ...input,
      document: { ...input.document, path: document },
      // The child reports to us alone.
      callback: { ...input.callback, key: '' },
    };
    await writeFile(inputPath, JSON.stringify(local), { mode: 0o600 });
    return { inputPath, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Of what is free now, the rest is for this process, the launcher and what the platform runs beside us. */
const MEMORY_SHARE = 0.8;

/**
 * The limits of a run where its machine is smaller than the app supposed; `availableMemory` heeds the limit of a
 * container.
 */
export function limitsHere(limits: RunInput['limits'], availableBytes = process.availableMemory()) {
  const mostMb = Math.floor((availableBytes * MEMORY_SHARE) / 1024 / 1024);
  return { ...limits, maxMemoryMb: Math.max(256, Math.min(limits.maxMemoryMb, mostMb)) };
}
