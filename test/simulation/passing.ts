import { listCancelling } from '@/lib/queue/lease';
import { whyNotRunning } from '@/lib/queue/why-not-running';
import { LATER } from './later';
import { shiftClock } from './shifted-clock';
import type { Deeds } from './step';
import { Broken, type World } from './world';

/** What nobody does: time, the machine, and those who only look. */
export const passing = {
  async later(w, { a, b }) {
    const kind = b % 10;
    if (kind < 3) await w.lane.watch.query(LATER.due);
    if (kind === 3) await w.lane.watch.query(LATER.cool);
    if (kind === 4) await w.lane.watch.query(LATER.quiet);
    if (kind === 5) await w.lane.watch.query(LATER.forgotten);
    if (kind === 6) await w.lane.watch.query(LATER.blocked);
    if (kind === 7) w.runner.stopAll();
    if (kind === 8) await abandon(w);
    if (kind === 9) await outlive(w, a);
  },

  /** This process's clock is wrong from now on, by hours. */
  async clock(_, { b }) {
    shiftClock([3600, -3600, 86_400, -86_400, 0][b % 5] ?? 0);
  },

  async snapshot(w) {
    await w.lane.reader.query(w.reading ? 'rollback' : 'begin isolation level repeatable read');
    w.reading = !w.reading;
    if (w.reading) await w.lane.reader.query('select count(*) from tickmark.tasks');
  },

  async look(w) {
    const asked = [...w.tasks];
    const said = await whyNotRunning(w.db, asked);
    if (said.size !== asked.length) throw new Broken('invariant 1: a task that cannot be asked about');
    if (w.alone) {
      const { rows } = await w.lane.watch.query<{ id: string }>(
        `select id from tickmark.tasks where status = 'enqueued'`,
      );
      for (const { id } of rows) if (!said.get(id)) throw new Broken(`nothing says why ${id} waits`);
    }
    await listCancelling(w.db, 100);
  },
} satisfies Partial<Deeds>;

/** Superseded attempts without a run id are old by now; not those whose submission is still under way. */
export async function abandon(w: World): Promise<void> {
  const begun = w.runner.alive().map(({ attemptId }) => attemptId);
  await w.lane.watch.query(
    `update tickmark.task_attempts set finished_at = finished_at - interval '5 minutes'
     where status = 'superseded' and run_stopped_at is null and not (run_id is null and id = any($1::uuid[]))`,
    [begun],
  );
}

/** A run that has been going on for too long. */
async function outlive(w: World, a: number): Promise<void> {
  const attempt = w.attempts[a % Math.max(1, w.attempts.length)];
  if (!attempt) return;
  await w.lane.watch.query(
    `update tickmark.task_attempts
     set claimed_at = claimed_at - interval '1 hour', dispatched_at = dispatched_at - interval '1 hour'
     where id = $1::uuid and finished_at is null`,
    [attempt.attemptId],
  );
}
