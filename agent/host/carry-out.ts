import { type CallbackTarget, type Patience, postDelivery, sealEnvelope } from '@/agent/report';
import type { RunInput } from '@/lib/contract/run-input';
import type { Logger } from '@/lib/log';
import { type CallbackHead, type Ending, finalDelivery, type Outcome } from './outcome';
import { createProgressReporter } from './progress-reporter';
import { type ChildOrder, runChild } from './run-child';

/** How a run speaks of itself and where its answer goes: the part of hosting in which platforms differ. */
export interface Reporting {
  readonly target: CallbackTarget;
  readonly head: CallbackHead;
  /** For the final callback; what it does not reach is found in the outbox. */
  readonly patience: Patience;
  /** Keeps the sealed final callback beside the document, so that the answer survives this process. */
  writeOutbox(envelope: string): Promise<void>;
}

/** Starts the child, passes its progress on, and obeys when the run is told to end, by a signal or by the app. */
export async function superviseRun(
  order: Omit<ChildOrder, 'onProgress' | 'maxMemoryMb' | 'maxRunSeconds'> & {
    readonly limits: RunInput['limits'];
  },
  reporting: Pick<Reporting, 'target' | 'head'>,
  stopAsked: AbortController,
): Promise<Outcome> {
  if (stopAsked.signal.aborted) return { kind: 'stopped' };
  const progress = createProgressReporter(reporting.target, reporting.head, () => stopAsked.abort());
  const child = runChild({
    ...order,
    maxMemoryMb: order.limits.maxMemoryMb,
    maxRunSeconds: order.limits.maxRunSeconds,
    onProgress: progress.report,
  });
  stopAsked.signal.addEventListener('abort', () => child.stop());
  const outcome = await child.outcome;
  await Promise.race([progress.close(), whenAborted(stopAsked.signal)]);
  return outcome;
}

/** Writes the outbox, then calls back. Asked to stop in between, there is nothing left to wait for. */
export async function reportEnding(
  outcome: Ending,
  reporting: Reporting,
  stopAsked: AbortSignal,
  log: Logger,
): Promise<void> {
  const delivery = finalDelivery(reporting.head, outcome);
  await reporting.writeOutbox(JSON.stringify(sealEnvelope(reporting.target.key, delivery)));
  const delivered = await Promise.race([
    postDelivery(reporting.target, delivery, reporting.patience),
    whenAborted(stopAsked),
  ]);
  if (delivered?.kind === 'answered') {
    log.info({ ended: outcome.kind, ...delivered.answer }, 'host.reported');
    return;
  }
  const detail = delivered?.kind === 'refused' ? { status: delivered.status, detail: delivered.detail } : {};
  const err = delivered?.kind === 'undelivered' ? delivered.cause : undefined;
  const how = delivered?.kind ?? 'interrupted';
  log.warn({ ended: outcome.kind, delivered: how, ...detail, err }, 'host.left_in_outbox');
}

function whenAborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}
