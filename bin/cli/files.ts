import { glob, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './cli-error';

/** One file to upload: as it was given, and where it is. */
export interface InputFile {
  readonly given: string;
  readonly path: string;
}

/** Files as given, folders as the PDFs in them, in order. Throws `CliError` for what is not there. */
export async function expandFiles(given: readonly string[], cwd: string): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const name of given) files.push(...(await expandOne(name, cwd)));
  if (files.length === 0) throw new CliError('no PDF in what was given', 2);
  return files;
}

async function expandOne(given: string, cwd: string): Promise<InputFile[]> {
  const at = path.resolve(cwd, given);
  const info = await stat(at).catch(() => null);
  if (info?.isFile()) return [{ given, path: at }];
  if (info?.isDirectory()) return pdfsBelow(given, at);
  if (/[*?[]/.test(given)) {
    // A shell that knows no ** hands the pattern on as it is.
    const matches: string[] = [];
    for await (const match of glob(given, { cwd })) matches.push(match);
    const files = await Promise.all(matches.sort().map((match) => expandOne(match, cwd)));
    if (files.length > 0) return files.flat();
  }
  throw new CliError(info ? `${given} is neither a file nor a folder` : `${given} is not there`, 2);
}

async function pdfsBelow(given: string, folder: string): Promise<InputFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.pdf$/i.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
    .map((name) => ({ given: path.join(given, name), path: path.join(folder, name) }));
}
