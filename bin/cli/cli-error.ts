/** A command that can't go on, in words for the person who typed it. `exitCode` 2: what was typed is wrong. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'CliError';
  }
}

/** Runs a command's work: its number is the exit code, what it throws is told on stderr. */
export async function runCommand(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    process.stderr.write(`${wordsOf(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  return error instanceof Error && error.name === 'ConfigError' ? 2 : 1;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const expected = ['CliError', 'ConfigError', 'StartError', 'DomainError'].includes(error.name);
  return expected || !error.stack ? error.message : error.stack;
}
