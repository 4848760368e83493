import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  barHosting,
  HOST_EXIT,
  type HostOrder,
  type ProgramOrder,
  readHostState,
} from '@/lib/process/run-host-file';
import { countFreeSlots, listHolders } from '@/lib/process/slots';
import type { JobRunner, RunRequest, RunStatus, SubmitOutcome } from './port';

export interface EmbeddedRunnerOptions {
  /** Absolute path of the data folder. */
  readonly home: string;
  /** Runs at once on this machine, whichever worker submits them. */
  readonly slots: number;
  /** Bundled scripts: the host of a run, and the agent that it starts. */
  readonly hostScript: string;
  readonly agentScript: string;
  /** Starts a program in the agent's place, for agents of other authors: their programs by agent id. */
  readonly programScript: string;
  readonly programs: Readonly<Record<string, ProgramOrder>>;
  /** All that a run sees of the environment: no database, no secret. */
  readonly environment: NodeJS.ProcessEnv;
}

/** A host that has not begun after this long is left to itself and the outcome is unknown. */
const START_TIMEOUT_MS = 30_000;
const LOOK_MS = 20;
/** A host that was asked to stop and still runs after this long is killed; its child notices and ends. */
const KILL_AFTER_MS = 2_000;

/**
 * Runs on this machine: a detached host process per attempt that outlives the worker and is found again through
 * `runs/<attemptId>/host.json`. The run id is `local-<attemptId>`, so the same attempt is always the same run.
 */
export function createEmbeddedRunner(options: EmbeddedRunnerOptions): JobRunner {
  const runsFolder = path.join(options.home, 'runs');
  const slotsFolder = path.join(options.home, 'slots');
  const askedToStop = new Map<string, number>();
  const folderOf = (runId: string) => path.join(runsFolder, attemptOf(runId));

  return {
    async submit(request) {
      const runFolder = path.join(runsFolder, checkedAttempt(request.attemptId));
      await mkdir(runFolder, { recursive: true, mode: 0o700 });
      return submit(request, runFolder, { ...options, slotsFolder });
    },

    async status(runIds) {
      const entries = runIds.map(async (runId): Promise<[string, RunStatus]> => {
        try {
          return [runId, await statusOf(folderOf(runId))];
        } catch (cause) {
          return [runId, { state: 'unreachable', cause }];
        }
      });
      return new Map(await Promise.all(entries));
    },

    async cancel(runId) {
      const runFolder = folderOf(runId);
      let state = await readHostState(runFolder);
      while (state.kind === 'none' || state.kind === 'starting') {
        if (state.kind === 'none' && (!(await exists(runFolder)) || (await barHosting(runFolder)))) return;
        await delay(LOOK_MS);
        state = await readHostState(runFolder);
      }
      if (state.kind === 'ended') {
        askedToStop.delete(runId);
        return;
      }
      const since = askedToStop.get(runId) ?? Date.now();
      askedToStop.set(runId, since);
      signal(state.host.pid, Date.now() - since > KILL_AFTER_MS ? 'SIGKILL' : 'SIGTERM');
    },

    async listAlive() {
      const holders = await listHolders(slotsFolder);
      return holders.map(({ purpose }) => ({ runId: `local-${purpose}`, attemptId: purpose }));
    },

    freeSlots: () => countFreeSlots(slotsFolder, options.slots),
  };
}

interface Launch extends EmbeddedRunnerOptions {
  readonly slotsFolder: string;
}

/** Starts hosts until one of them, ours or another submitter's, has begun, or there is surely no place for one. */
async function submit(request: RunRequest, runFolder: string, launch: Launch): Promise<SubmitOutcome> {
  const submitted = { kind: 'submitted', runId: `local-${request.attemptId}` } as const;
  const deadline = Date.now() + START_TIMEOUT_MS;
  let host: LaunchedHost | null = null;
  while (Date.now() < deadline) {
    const state = await readHostState(runFolder);
    if (state.kind === 'running' || state.kind === 'ended') return submitted;
    if (state.kind === 'none' && host === null) host = launchHost(request, runFolder, launch);
    const exit = host?.exit() ?? null;
    if (exit === null) {
      await delay(LOOK_MS);
      continue;
    }
    // Our host has ended. If another submitter's is on its way, that one decides.
    const after = await readHostState(runFolder);
    if (after.kind !== 'none') continue;
    if (exit === HOST_EXIT.full) return { kind: 'full', retryAfterSeconds: 1 };
    if (exit === HOST_EXIT.badInput) {
      return { kind: 'refused', code: 'internal', message: 'The run could not read what it was told to do.' };
    }
    if (exit !== HOST_EXIT.taken) {
      throw new Error(
        `the host of ${request.attemptId} ended with ${exit} before it began; see ${runFolder}`,
      );
    }
    host = null;
  }
  throw new Error(`the host of ${request.attemptId} did not begin within ${START_TIMEOUT_MS / 1000} s`);
}

interface LaunchedHost {
  /** Exit code, signal or error once it has ended, else null. */
  exit(): number | string | null;
}

function launchHost(request: RunRequest, runFolder: string, launch: Launch): LaunchedHost {
  const order: HostOrder = {
    inputPath: request.inputPath,
    agentScript: launch.agentScript,
    programScript: launch.programScript,
    programs: launch.programs,
    slotsFolder: launch.slotsFolder,
    slots: launch.slots,
  };
  // The worker's own stdio is not handed on: a run would hold a terminal or a pipe open beyond the worker's end.
  const log = openSync(path.join(runFolder, 'run.log'), 'a', 0o600);
  let ended: number | string | null = null;
  let host: ChildProcess;
  try {
    host = spawn(process.execPath, [launch.hostScript, JSON.stringify(order)], {
      detached: true,
      cwd: runFolder,
      env: launch.environment,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
  host.once('exit', (code, killedBy) => {
    ended = code ?? killedBy ?? 'an unknown end';
  });
  host.once('error', (error) => {
    ended = error.message;
  });
  host.unref();
  return { exit: () => ended };
}

async function statusOf(runFolder: string): Promise<RunStatus> {
  const state = await readHostState(runFolder);
  switch (state.kind) {
    case 'starting':
    case 'running':
      return { state: 'alive' };
    case 'ended':
      return { state: 'gone' };
    case 'none':
      // Without the folder this may be another installation's run on the same database: not ours to declare dead.
      if (await exists(runFolder)) return { state: 'gone' };
      return { state: 'unreachable', cause: new Error(`no ${runFolder} here`) };
  }
}

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function attemptOf(runId: string): string {
  if (!runId.startsWith('local-')) throw new TypeError(`not a run of this machine: ${runId.slice(0, 100)}`);
  return checkedAttempt(runId.slice('local-'.length));
}

function checkedAttempt(attemptId: string): string {
  if (!/^[0-9A-Za-z][0-9A-Za-z-]{0,99}$/.test(attemptId)) {
    throw new TypeError(`not an attempt id: ${JSON.stringify(attemptId.slice(0, 100))}`);
  }
  return attemptId;
}
