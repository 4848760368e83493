import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { RunInput } from '@/lib/contract/run-input';
import { createLogger, type Logger } from '@/lib/log';
import { ownIdentity } from '@/lib/process/identity';
import {
  claimHosting,
  confirmHosting,
  HOST_EXIT,
  HostOrder,
  withdrawHosting,
} from '@/lib/process/run-host-file';
import { takeSlot } from '@/lib/process/slots';
import { writeFileWhole } from '@/lib/process/write-file-whole';
import { finalDelivery, type Outcome } from './host/outcome';
import { createProgressReporter } from './host/progress-reporter';
import { runChild } from './host/run-child';
import { postDelivery, sealEnvelope } from './report';

/**
 * Some seconds, then the host ends and its slot is free: the worker, on the same machine, finds the run gone and the
 * outbox beside it.
 */
const FINAL_PATIENCE = { retries: 3, firstWaitMs: 250, timeoutMs: 10_000 };

/**
 * The small process that hosts one run: it outlives the worker, holds a slot, starts the reader as its child, kills
 * it at its limits, writes the outbox and reports. Resolves with the exit code.
 */
async function hostRun(order: HostOrder): Promise<number> {
  const log = createLogger('host', 'info');
  const runFolder = path.dirname(order.inputPath);
  const input = await readInput(order.inputPath, log);
  if (!input) return HOST_EXIT.badInput;
  if (!(await claimHosting(runFolder))) return HOST_EXIT.taken;
  const holder = { ...(await ownIdentity()), purpose: input.attemptId };
  const slot = await takeSlot(order.slotsFolder, order.slots, holder);
  if (slot === null) {
    await withdrawHosting(runFolder);
    return HOST_EXIT.full;
  }
  const stopAsked = new AbortController();
  process.once('SIGTERM', () => stopAsked.abort());
  await confirmHosting(runFolder);
  log.info({ attemptId: input.attemptId, slot }, 'host.started');
  const outcome = await superviseRun(order, input, stopAsked, log);
  if (outcome.kind === 'stopped') {
    log.info('host.stopped');
    return 0;
  }
  // From here on all is in the outbox: asked to stop, there is nothing left to wait for.
  await report(runFolder, input, outcome, stopAsked.signal, log);
  return 0;
}

async function readInput(inputPath: string, log: Logger): Promise<RunInput | null> {
  try {
    return RunInput.parse(JSON.parse(await readFile(inputPath, 'utf8')));
  } catch (err) {
    log.error({ err }, 'host.bad_input');
    return null;
  }
}

async function superviseRun(
  order: HostOrder,
  input: RunInput,
  stopAsked: AbortController,
  log: Logger,
): Promise<Outcome> {
  if (stopAsked.signal.aborted) return { kind: 'stopped' };
  const progress = createProgressReporter(input, () => stopAsked.abort());
  const child = runChild({
    script: order.agentScript,
    inputPath: order.inputPath,
    maxMemoryMb: input.limits.maxMemoryMb,
    maxRunSeconds: input.limits.maxRunSeconds,
    log,
    onProgress: progress.report,
  });
  stopAsked.signal.addEventListener('abort', () => child.stop());
  const outcome = await child.outcome;
  await Promise.race([progress.close(), whenAborted(stopAsked.signal)]);
  return outcome;
}

async function report(
  runFolder: string,
  input: RunInput,
  outcome: Exclude<Outcome, { kind: 'stopped' }>,
  stopAsked: AbortSignal,
  log: Logger,
): Promise<void> {
  const delivery = finalDelivery(input, outcome);
  // Outbox first: from now on the answer survives this process.
  const envelope = JSON.stringify(sealEnvelope(input.callback.key, delivery));
  await writeFileWhole(path.join(runFolder, 'outbox.json'), envelope);
  const delivered = await Promise.race([
    postDelivery(input.callback, delivery, FINAL_PATIENCE),
    whenAborted(stopAsked),
  ]);
  if (delivered?.kind === 'answered') {
    log.info({ ended: outcome.kind, ...delivered.answer }, 'host.reported');
    return;
  }
  const err = delivered?.kind === 'undelivered' ? delivered.cause : undefined;
  log.warn({ ended: outcome.kind, delivered: delivered?.kind ?? 'interrupted', err }, 'host.left_in_outbox');
}

function whenAborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}

process.exit(await hostRun(HostOrder.parse(JSON.parse(process.argv[2] ?? 'null'))));
