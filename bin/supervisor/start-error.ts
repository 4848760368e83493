/** Exit codes that scripts may rely on; told in docs/configuration.md. */
export const EXIT = { failed: 1, wrongSetting: 2, alreadyRunning: 3, portTaken: 4, dataFolder: 5 } as const;

/** A start that can't go on, in words for the person at the terminal. */
export class StartError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'StartError';
  }
}
