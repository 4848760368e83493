import type { TransitionName } from './states';

/** A module may be loaded more than once in a process; its count is one all the same. */
const slot = globalThis as typeof globalThis & { tickmarkSteps?: Map<TransitionName, number> };
slot.tickmarkSteps ??= new Map();
const taken = slot.tickmarkSteps;

/**
 * Notes that this process has taken tasks a step on, for monitoring: it decides nothing. Counted before the commit, so
 * that a step which is rolled back and taken again counts twice.
 */
export function noteSteps(name: TransitionName, tasks: number): void {
  if (tasks > 0) taken.set(name, (taken.get(name) ?? 0) + tasks);
}

/** How many tasks this process has taken each step with since it began. */
export function stepsTaken(): ReadonlyMap<TransitionName, number> {
  return taken;
}
