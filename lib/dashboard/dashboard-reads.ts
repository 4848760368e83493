import 'server-only';
import type { Db } from '@/lib/db/client';
import type { Moment } from './metrics/moment';
import { Moments } from './metrics/moments';
import { Pace } from './pace';
import { SharedReads } from './shared-reads';

/** What this process reads of one database for all who look at it. Equal questions asked at one time are one. */
interface Dashboard {
  readonly pace: Pace;
  /**
   * Reads at one moment with all that is asked so about now, one after the other: for what is read fast.
   * @param question equal for equal questions
   */
  atMoment<T>(question: string, read: (moment: Moment) => Promise<T>): Promise<T>;
  /** Reads by itself. */
  share<T>(question: string, read: () => Promise<T>): Promise<T>;
}

const dashboards = new WeakMap<Db, Dashboard>();

export function dashboardOf(db: Db): Dashboard {
  const known = dashboards.get(db);
  if (known) return known;
  const pace = new Pace();
  const moments = new Moments(db);
  const shared = new SharedReads<unknown>();
  const noted = async <T>(question: string, read: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const answer = await read();
    pace.note(question, performance.now() - began);
    return answer;
  };
  const made: Dashboard = {
    pace,
    atMoment: (question, read) => moments.ask(question, (moment) => noted(question, () => read(moment))),
    share: <T>(question: string, read: () => Promise<T>) =>
      shared.read(question, () => noted(question, read)) as Promise<T>,
  };
  dashboards.set(db, made);
  return made;
}
