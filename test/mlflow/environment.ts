import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitForLock } from '@/bin/file-lock.mjs';

const run = promisify(execFile);

/** One exact version: MLflow changes what it adds up, and how, between releases. */
export const MLFLOW_VERSION = '3.17.2';
const CONSTRAINTS = fileURLToPath(new URL('./constraints.txt', import.meta.url));
/** The oldest that this MLflow runs on. */
const PYTHON = [3, 10] as const;
const PATIENCE_MS = 1_200_000;

/**
 * The Python of a virtual environment that holds MLflow, installed from PyPI at the first call and kept in the user's cache
 * folder (some 850 MB). Throws with what to do where there is no Python that will do, or no way to PyPI.
 */
export async function mlflowPython(): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  const folder = path.join(cache, 'tickmark', `mlflow-${MLFLOW_VERSION}`);
  const python = path.join(folder, 'bin', 'python');
  // Written last: without it the installation was cut short.
  const whole = path.join(folder, 'tickmark-whole');
  if (existsSync(whole)) return python;
  await mkdir(path.dirname(folder), { recursive: true });
  const release = await waitForLock(`${folder}.lock`, (pid: number) =>
    process.stderr.write(`waiting for another installation of MLflow (process ${pid})\n`),
  );
  try {
    if (existsSync(whole)) return python;
    process.stderr.write(`installing MLflow ${MLFLOW_VERSION} into ${folder}; this takes a few minutes\n`);
    await rm(folder, { recursive: true, force: true });
    await run(await findPython(), ['-m', 'venv', folder], { timeout: PATIENCE_MS });
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-cache-dir',
      '--no-compile',
    ];
    await run(python, [...pip, `mlflow==${MLFLOW_VERSION}`, '--constraint', CONSTRAINTS], {
      timeout: PATIENCE_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    await writeFile(whole, '');
  } finally {
    release();
  }
  return python;
}

async function findPython(): Promise<string> {
  for (const name of ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10']) {
    const check = `import sys, venv, ensurepip; sys.exit(sys.version_info < ${`(${PYTHON.join(', ')})`})`;
    const found = await run(name, ['-c', check]).catch(() => null);
    if (found) return name;
  }
  throw new Error(
    `Python ${PYTHON.join('.')} or later with its module venv is needed for these tests: install it (on Debian and Ubuntu python3-venv), so that python3 finds it.`,
  );
}
