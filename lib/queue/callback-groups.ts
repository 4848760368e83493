import type { Db } from '@/lib/db/client';
import { aFewAtOnce } from './a-few-at-once';
import { type Applied, applyCallbacks, type CallbackHooks, type Delivery } from './callback';

export interface CallbackGroupsOptions {
  readonly db: Db;
  readonly hooks: CallbackHooks;
  /** Told when a group failed and its members are tried one by one. */
  readonly onGroupFailed?: (error: unknown, size: number) => void;
  /** Deliveries in one transaction at most; default 100. */
  readonly maxMembers?: number;
}

/** Applies deliveries, those that arrive together in one transaction. */
export interface CallbackGroups {
  /**
   * Resolves once the answer is committed; a `DomainError` is an answer too: `not_found` or `bad_request`.
   * @param bytes size of the body, as a group has a limit on the sum
   */
  apply(delivery: Delivery, bytes: number): Promise<Applied>;
}

/** While so many groups are under way, what arrives waits and forms the next one. */
const AT_ONCE = 2;
const MAX_MEMBERS = 100;
/** A body may have 10 MB; such a one has a group to itself. */
const MAX_BYTES = 2_000_000;
const SINGLY_AT_ONCE = 4;

interface Waiting {
  readonly delivery: Delivery;
  readonly bytes: number;
  readonly resolve: (answer: Applied) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups form by themselves: a delivery that arrives alone goes at once, one that arrives while the database is busy
 * goes with all that wait by then. Nobody waits for a timer.
 */
export function createCallbackGroups(options: CallbackGroupsOptions): CallbackGroups {
  const maxMembers = options.maxMembers ?? MAX_MEMBERS;
  const waiting: Waiting[] = [];
  let underWay = 0;
  let woken = false;

  const takeGroup = (): Waiting[] => {
    let bytes = 0;
    let size = 0;
    for (const one of waiting) {
      if (size >= maxMembers || (size > 0 && bytes + one.bytes > MAX_BYTES)) break;
      bytes += one.bytes;
      size += 1;
    }
    return waiting.splice(0, size);
  };

  const start = () => {
    woken = false;
    while (underWay < AT_ONCE && waiting.length > 0) {
      underWay += 1;
      void settle(options, takeGroup()).finally(() => {
        underWay -= 1;
        start();
      });
    }
  };

  return {
    apply: (delivery, bytes) =>
      new Promise((resolve, reject) => {
        waiting.push({ delivery, bytes, resolve, reject });
        // After all requests that this turn of the event loop has read.
        if (!woken) setImmediate(start);
        woken = true;
      }),
  };
}

async function settle(options: CallbackGroupsOptions, group: readonly Waiting[]): Promise<void> {
  const { db, hooks } = options;
  let applied: readonly Applied[];
  try {
    applied = await applyCallbacks(
      db,
      group.map(({ delivery }) => delivery),
      hooks,
    );
  } catch (error) {
    if (group.length > 1) {
      options.onGroupFailed?.(error, group.length);
      await settleSingly(options, group);
    } else for (const { reject } of group) reject(error);
    return;
  }
  group.forEach(({ resolve, reject }, n) => {
    const answer = applied[n];
    if (answer) resolve(answer);
    else reject(new Error('a delivery was left without an answer'));
  });
}

/** One bad member must not take the others with it, nor the outcome of a lost commit stay open. */
async function settleSingly({ db, hooks }: CallbackGroupsOptions, group: readonly Waiting[]): Promise<void> {
  // A few at a time: one that waits for a lock does not hold up all, and the pool is not taken from everybody else.
  await aFewAtOnce(SINGLY_AT_ONCE, group, ({ delivery, resolve, reject }) =>
    applyCallbacks(db, [delivery], hooks).then(([answer]) => answer && resolve(answer), reject),
  );
}
