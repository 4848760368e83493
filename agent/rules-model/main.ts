import { parseArgs } from 'node:util';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { serve } from '@hono/node-server';
import { z } from 'zod';
import { config } from '@/lib/config/config';
import { createLogger } from '@/lib/log';
import { answer } from './answer';
import { answerInThread } from './answer-thread';
import { DEFAULT_LIMITS, RateLimiter } from './limits';
import type { Prompt } from './read-prompt';
import { rulesModelApp } from './server';

// The built-in model: `rules-model --port N [--requests-per-minute N] [--tokens-per-minute N]` (0 = no limit).
// It answers on this machine only and needs no secret.

const perMinute = (fallback: number | null) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .transform((value) => (value === 0 ? null : value))
    .optional()
    .transform((value) => (value === undefined ? fallback : value));

const Arguments = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  'requests-per-minute': perMinute(DEFAULT_LIMITS.requestsPerMinute),
  'tokens-per-minute': perMinute(DEFAULT_LIMITS.tokensPerMinute),
});

/** Time that requests under way get when the process is told to stop. */
const DRAIN_MS = 2_000;

function readArguments(): z.infer<typeof Arguments> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4117' },
      'requests-per-minute': { type: 'string' },
      'tokens-per-minute': { type: 'string' },
    },
  });
  return Arguments.parse(values);
}

function start(): void {
  const settings = readArguments();
  const log = createLogger('rules-model', config().logLevel);
  const limiter = new RateLimiter({
    requestsPerMinute: settings['requests-per-minute'],
    tokensPerMinute: settings['tokens-per-minute'],
  });
  const app = rulesModelApp(limiter, log, answerInThread(new URL(import.meta.url)));
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: settings.port }, ({ port }) =>
    log.info({ port, ...limiter.limits }, 'rules_model.listening'),
  );
  server.on('error', (err) => {
    log.error({ err, port: settings.port }, 'rules_model.cannot_listen');
    process.exit(1);
  });
  const stop = () => {
    server.close(() => process.exit(0));
    setTimeout(() => process.exit(0), DRAIN_MS).unref();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

// The same script is its own thread for large prompts.
if (isMainThread) start();
else parentPort?.postMessage(answer(workerData as Prompt));
