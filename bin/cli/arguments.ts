import { type Command, CommanderError } from 'commander';
import { CliError } from './cli-error';

/** Parses a command's arguments; null when only help was asked for. A mistake is a `CliError` with exit code 2. */
export function parseArguments(command: Command): Command | null {
  command.exitOverride().configureOutput({
    // Help too: stdout may be read by another program.
    writeOut: (text) => process.stderr.write(text),
    writeErr: () => {},
  });
  try {
    return command.parse(process.argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    throw new CliError(`${error.message}\nnpm run ${command.name()} -- --help tells more`, 2);
  }
}

/**
 * The folder that paths on the command line start from: npm runs scripts in the checkout, wherever one typed.
 */
export function typedIn(script: string): string {
  const { npm_lifecycle_event: running, INIT_CWD: typed } = process.env;
  return running === script && typed ? typed : process.cwd();
}
