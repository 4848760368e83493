import { type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

/**
 * A structured logger that writes JSON lines to stderr: an event name and ids, never a document's text or a secret.
 * @param name which process speaks, such as `app` or `worker`
 */
export function createLogger(name: string, level: string): Logger {
  return pino(
    {
      name,
      level,
      serializers: { err: stdSerializers.errWithCause },
      redact: {
        paths: ['*.authorization', '*.cookie', '*.password', '*.secret', '*.key', '*.apiKey', '*.token'],
        censor: '[redacted]',
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
