import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';

/** What became of a callback: applied, no effect, usage recorded; or refused, with the status of the answer. */
export type CallbackOutcome = 'applied' | 'noop' | 'recorded' | `refused_${400 | 401 | 404 | 413}`;

const OUTCOMES: readonly CallbackOutcome[] = [
  'applied',
  'noop',
  'recorded',
  'refused_400',
  'refused_401',
  'refused_404',
  'refused_413',
];

/** A module may be loaded more than once in a process; its count is one all the same. */
const slot = globalThis as typeof globalThis & { tickmarkCallbacks?: Map<CallbackOutcome, number> };
slot.tickmarkCallbacks ??= new Map();
const answered = slot.tickmarkCallbacks;

export function noteCallback(outcome: CallbackOutcome): void {
  answered.set(outcome, (answered.get(outcome) ?? 0) + 1);
}

/** Callbacks that this process has answered. */
export function countCallbacks(registry: Registry): void {
  new Counter({
    name: 'tickmark_callbacks_total',
    help: 'Callbacks that this process has answered, by outcome',
    labelNames: ['outcome'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const outcome of OUTCOMES) this.inc({ outcome }, answered.get(outcome) ?? 0);
    },
  });
}
