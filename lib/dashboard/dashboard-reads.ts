import 'server-only';
import type { Db } from '@/lib/db/client';
import type { Moment } from './metrics/moment';
import { Moments } from './metrics/moments';
import { Pace } from './pace';

/** What this process reads of one database for all who look at it. */
interface Dashboard {
  readonly pace: Pace;
  /**
   * Reads at one moment with all that is asked about now; equal questions are one.
   * @param question equal for equal questions
   */
  ask<T>(question: string, read: (moment: Moment) => Promise<T>): Promise<T>;
}

const dashboards = new WeakMap<Db, Dashboard>();

export function dashboardOf(db: Db): Dashboard {
  const known = dashboards.get(db);
  if (known) return known;
  const pace = new Pace();
  const moments = new Moments(db);
  const made: Dashboard = {
    pace,
    ask: (question, read) =>
      moments.ask(question, async (moment) => {
        const began = performance.now();
        const answer = await read(moment);
        pace.note(question, performance.now() - began);
        return answer;
      }),
  };
  dashboards.set(db, made);
  return made;
}
