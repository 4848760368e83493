import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Reporting, reportEnding, superviseRun } from '@/agent/host/carry-out';
import { callbackHead, failure, type Outcome } from '@/agent/host/outcome';
import { postDelivery } from '@/agent/report';
import { runEnvironment } from '@/lib/config/run-environment';
import type { TokenPurpose } from '@/lib/contract/child-messages';
import type { RunInput } from '@/lib/contract/run-input';
import { createLogger, type Logger } from '@/lib/log';
import { type JobEnvironment, readJobEnvironment } from './environment';
import { type Outbox, volumeOutbox } from './outbox';
import { limitsHere, prepareRun, readRunInput } from './prepare-run';
import { createRunTokens, type RunTokens } from './run-tokens';
import { mountedPath } from './volume-path';

// The agent inside a Lakeflow job: `agent-job --input /Volumes/…/runs/<attemptId>/input.json [--run-id ID]`. What the
// host process is on one machine, this is in a job: it starts the same child, keeps its limits, writes the outbox and
// reports. Here it holds the run's identity, and neither slots nor a claim: the platform starts a run once.

/** The compute is paid for while it waits, and what is not delivered the reconciler finds. */
const FINAL_PATIENCE = { retries: 3, firstWaitMs: 500, timeoutMs: 30_000 };
/** As the embedded host: nothing was run. */
const BAD_INPUT = 78;
/** Ended by a signal, as a shell would say it; the run has no answer. */
const STOPPED = 143;

async function runJob(inputArgument: string, runId: string | null): Promise<number> {
  const log = createLogger('job', 'info');
  const env = readJobEnvironment();
  const stopAsked = new AbortController();
  const signalled = stopOnSignal(stopAsked, env);
  let inputPath: string;
  let input: RunInput;
  try {
    inputPath = mountedPath(inputArgument, env.TICKMARK_VOLUMES_ROOT);
    input = await readRunInput(inputPath);
  } catch (err) {
    log.error({ err, input: inputArgument }, 'job.bad_input');
    return BAD_INPUT;
  }
  const tokens = createRunTokens(env, log);
  const outbox = volumeOutbox(path.dirname(inputPath));
  const reporting: Reporting = {
    target: { ...input.callback, bearer: () => tokens.forApp(input.callback.url) },
    head: callbackHead(input, runId),
    patience: FINAL_PATIENCE,
    writeOutbox: outbox.write,
  };
  try {
    if (await reportAgain(outbox, reporting, log)) return 0;
    log.info({ attemptId: input.attemptId, runId }, 'job.started');
    const outcome = await carryOut(env, input, tokens, reporting, stopAsked, log);
    if (outcome.kind === 'stopped') {
      log.info('job.stopped');
      return signalled() ? STOPPED : 0;
    }
    if (outcome.kind !== 'reported') await reportEnding(outcome, reporting, stopAsked.signal, log);
    return 0;
  } finally {
    await tokens.close();
  }
}

/** Told to stop by a signal, or by the launcher's end: its pipe to us closes whatever killed it. */
function stopOnSignal(stopAsked: AbortController, env: JobEnvironment): () => boolean {
  let signalled = false;
  const stop = () => {
    signalled = true;
    stopAsked.abort();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  if (env.TICKMARK_LAUNCHER_PIPE) process.stdin.once('end', stop).once('error', stop).resume();
  return () => signalled;
}

/** The platform started a run anew that had its answer already: it is sent once more, and no model is paid twice. */
async function reportAgain(outbox: Outbox, reporting: Reporting, log: Logger): Promise<boolean> {
  const left = await outbox.read();
  if (left === null) return false;
  const delivered = await postDelivery(reporting.target, left, reporting.patience);
  log.warn({ delivered: delivered.kind }, 'job.had_an_answer_already');
  return true;
}

async function carryOut(
  env: JobEnvironment,
  input: RunInput,
  tokens: RunTokens,
  reporting: Reporting,
  stopAsked: AbortController,
  log: Logger,
): Promise<Outcome> {
  try {
    const prepared = await prepareRun(input, env.TICKMARK_VOLUMES_ROOT);
    try {
      const order = {
        script: fileURLToPath(new URL('./agent.mjs', import.meta.url)),
        inputPath: prepared.inputPath,
        limits: limitsHere(input.limits),
        environment: runEnvironment(),
        tokenFor: (purpose: TokenPurpose) =>
          tokens.forWorkspace(purpose === 'model' ? input.model.baseUrl : (input.tracing?.url ?? '')),
        log,
      };
      return await superviseRun(order, reporting, stopAsked);
    } finally {
      await prepared.remove();
    }
  } catch (err) {
    log.error({ err }, 'job.not_prepared');
    const message =
      'The run could not read its document from the Volume. Check that the job’s identity has READ VOLUME; the log of the run says more.';
    return { kind: 'failed', error: failure('internal', message), usage: null };
  }
}

const { values } = parseArgs({ options: { input: { type: 'string' }, 'run-id': { type: 'string' } } });
process.exit(await runJob(values.input ?? '', values['run-id'] || null));
