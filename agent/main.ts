import { readFile } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
import type { Progress, Usage } from '@/lib/contract/callback';
import type { ChildMessage } from '@/lib/contract/child-messages';
import { RunInput } from '@/lib/contract/run-input';
import { createLogger, type Logger } from '@/lib/log';
import { askHostForToken, traceAuthorisation } from './host-token';
import { ModelClient } from './model-client';
import { runPipeline } from './pipeline';
import { serveReading } from './reader/serve-reading';
import { STALL_SECONDS, supervisedRead } from './reader/supervised-read';
import { toAttemptError } from './run-failure';
import { type AttemptTrace, openTrace } from './tracing/attempt-trace';
import { tallyUsage } from './usage-tally';

// The agent child: `agent <path of input.json>`. Reads the document, asks the model, tells its host by IPC; holds no
// database credential and does not call back itself. The same script serves as its own reader thread.

/** The reader's heap as a part of what the run may use: the rest is for images, OCR and this thread. */
const READER_HEAP_SHARE = 0.6;
/** For sending the trace of a run that is told to stop. */
const STOP_PATIENCE_MS = 1_500;

async function runAgent(input: RunInput, log: Logger): Promise<ChildMessage> {
  let progress: Progress = { done: 0, total: input.document.pageCount ?? 0 };
  const usage = () => (model.calls.length > 0 ? tallyUsage(model.calls, input.prices) : null);
  const report = () => void send({ kind: 'progress', progress, usage: usage() });
  const trace = openTrace(
    input,
    input.tracing?.kind === 'databricks' ? { authorise: traceAuthorisation } : {},
  );
  const model: ModelClient = new ModelClient(
    input.model,
    (call) => {
      trace?.record(call);
      report();
    },
    input.model.auth === 'run' ? askHostForToken : undefined,
  );
  const endTrace = traceEnder(trace, input, log);
  endOnSigterm(() => endTrace({ failed: 'stopped' }, STOP_PATIENCE_MS));
  try {
    const result = await runPipeline(input.agent, {
      read: () =>
        supervisedRead(
          new URL(import.meta.url),
          {
            path: input.document.path,
            maxPages: input.limits.maxPages,
            withPictures: input.model.vision === true,
          },
          {
            stallSeconds: STALL_SECONDS,
            maxHeapMb: Math.floor(input.limits.maxMemoryMb * READER_HEAP_SHARE),
          },
        ),
      ask: (request, purpose) => model.ask(request, purpose),
      onProgress: (next) => {
        progress = next;
        report();
      },
    });
    return { kind: 'succeeded', result, usage: withTrace(usage(), await endTrace('succeeded')) };
  } catch (err) {
    const { error, expected } = toAttemptError(err);
    if (expected) log.warn({ attemptId: input.attemptId, code: error.code, err }, 'agent.failed');
    else log.error({ attemptId: input.attemptId, err }, 'agent.unexpected_error');
    return { kind: 'failed', error, usage: withTrace(usage(), await endTrace({ failed: error.code })) };
  }
}

/** Ends the trace, once; resolves with whether all of it has arrived, undefined where none is recorded. */
function traceEnder(trace: AttemptTrace | null, { attemptId }: RunInput, log: Logger) {
  let ended: Promise<boolean | undefined> | null = null;
  return (...how: Parameters<AttemptTrace['end']>): Promise<boolean | undefined> => {
    ended ??= (async () => {
      if (!trace) return undefined;
      const failure = await trace.end(...how);
      if (failure !== null) log.warn({ attemptId, err: failure }, 'agent.trace_not_exported');
      return failure === null;
    })();
    return ended;
  };
}

function withTrace(usage: Usage | null, traceExported: boolean | undefined): Usage | null {
  return usage && traceExported !== undefined ? { ...usage, traceExported } : usage;
}

/** Told to stop, a run still says what it has used: its host waits a little longer than this before it kills. */
function endOnSigterm(lastWords: () => Promise<unknown>): void {
  process.once('SIGTERM', () => void lastWords().finally(() => process.exit(143)));
}

/** Resolves once the message is on its way; without a host it goes to stdout, for trying a run by hand. */
function send(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve());
  });
}

async function main(): Promise<void> {
  const log = createLogger('agent', 'info');
  const input = RunInput.parse(JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')));
  await send(await runAgent(input, log));
  process.exit(0);
}

await (isMainThread ? main() : serveReading());
