import { inRounds, type Step } from './step';

/** Whether a sequence still goes wrong. */
export type Fails = (steps: readonly Step[]) => Promise<boolean>;

/**
 * Leaves out of a failing sequence what it does not need, large parts first, then single steps, then that steps are at
 * the same time. In place of fast-check's own: that one knows neither that nothing after the failure matters, nor that a
 * race has to be tried more than once, nor when to stop.
 */
export async function shrink(steps: readonly Step[], failedRound: number, fails: Fails): Promise<Step[]> {
  let small = inRounds(steps)
    .slice(0, failedRound + 1)
    .flat();
  if (small.length < steps.length && !(await fails(small))) small = [...steps];
  for (let size = Math.ceil(small.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < small.length; ) {
      const without = [...small.slice(0, from), ...small.slice(from + size)];
      if (without.length > 0 && (await fails(without))) small = without;
      else from += size;
    }
  }
  for (const [n, step] of small.entries()) {
    const apart = small.with(n, { ...step, together: false });
    if (step.together && (await fails(apart))) small = apart;
  }
  return small;
}
