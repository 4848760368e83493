import { Counter, type Registry } from 'prom-client';
import { TRANSITIONS } from '@/lib/queue/states';
import { stepsTaken } from '@/lib/queue/steps-taken';

/**
 * Attempts that this process has ended, by how. The same in app (what callbacks end) and worker (what it finds ended);
 * `/metrics` shows the sum.
 */
export function countAttemptsEnded(registry: Registry): void {
  new Counter({
    name: 'tickmark_attempts_ended_total',
    help: 'Attempts that ended, by how: succeeded, failed, lost, cancelled, snoozed, superseded',
    labelNames: ['end'] as const,
    registers: [registry],
    collect() {
      this.reset();
      // Also those of which there was none yet: a rate needs the 0 before the first.
      for (const { attempt } of Object.values(TRANSITIONS)) {
        if (attempt && attempt !== 'claimed') this.inc({ end: attempt }, 0);
      }
      for (const [name, count] of stepsTaken()) {
        const { attempt } = TRANSITIONS[name];
        if (attempt) this.inc({ end: attempt }, count);
      }
    },
  });
}
