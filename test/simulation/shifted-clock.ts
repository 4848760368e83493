const Real = globalThis.Date;
let shiftMs = 0;

/** `Date` as a process sees it whose clock is wrong; it runs on from there. */
class ShiftedDate extends Real {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(Real.now() + shiftMs);
    else super(given[0]);
  }
  static override now(): number {
    return Real.now() + shiftMs;
  }
}

/** Sets this process's clock wrong by so much, or right again with 0. Timers keep their pace. */
export function shiftClock(seconds: number): void {
  shiftMs = seconds * 1000;
  globalThis.Date = (seconds === 0 ? Real : ShiftedDate) as DateConstructor;
}
