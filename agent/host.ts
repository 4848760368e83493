import { access, readFile } from 'node:fs/promises';
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
import { type Reporting, reportEnding, superviseRun } from './host/carry-out';
import { callbackHead } from './host/outcome';

const OUTBOX = 'outbox.json';

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
  const reporting: Reporting = {
    target: input.callback,
    head: callbackHead(input, `local-${input.attemptId}`),
    patience: FINAL_PATIENCE,
    writeOutbox: (envelope) => writeFileWhole(path.join(runFolder, OUTBOX), envelope),
  };
  const child = { ...childOf(order, input), inputPath: order.inputPath, limits: input.limits, log };
  const outcome = await superviseRun(child, reporting, stopAsked);
  if (outcome.kind === 'stopped' || outcome.kind === 'reported') log.info(`host.${outcome.kind}`);
  // A program that has its answer in the outbox and then met a limit has answered all the same.
  else if (child.args && (await exists(path.join(runFolder, OUTBOX))))
    log.warn({ outcome }, 'host.ended_late');
  else await reportEnding(outcome, reporting, stopAsked.signal, log);
  return 0;
}

/** Our own agent, or the program that the machine's owner has named for this one. */
function childOf(order: HostOrder, input: RunInput): { script: string; args?: string[] } {
  const program = Object.hasOwn(order.programs, input.agent.id) ? order.programs[input.agent.id] : undefined;
  if (program === undefined) return { script: order.agentScript };
  return { script: order.programScript, args: [JSON.stringify(program)] };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function readInput(inputPath: string, log: Logger): Promise<RunInput | null> {
  try {
    return RunInput.parse(JSON.parse(await readFile(inputPath, 'utf8')));
  } catch (err) {
    log.error({ err }, 'host.bad_input');
    return null;
  }
}

process.exit(await hostRun(HostOrder.parse(JSON.parse(process.argv[2] ?? 'null'))));
