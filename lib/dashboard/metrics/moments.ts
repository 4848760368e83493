import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@/lib/db/client';
import { inMoment, type Moment } from './moment';

/** So much of what all need may be read as often as anybody asks. */
const CHEAP_MS = 50;
/** Above that it takes no more than this share of the time … */
const SHARE = 0.2;
/** … but nobody waits longer for it. */
const LONGEST_WAIT_MS = 1_000;

/**
 * How long nothing is read after a moment at which the common part took so long (ms): with tens of thousands of changes that the
 * roll-up has not counted yet it takes as much time from the queue as from those who look on.
 */
export function restAfter(commonMs: number): number {
  return commonMs <= CHEAP_MS ? 0 : Math.min(LONGEST_WAIT_MS, commonMs / SHARE - commonMs);
}

interface Question {
  readonly answer: Promise<unknown>;
  read(moment: Moment): Promise<void>;
  fail(error: unknown): void;
}

/**
 * Lets all that is asked at about one time be read at one moment of the database: while one moment is being read, those that
 * come wait for the next, and equal questions among them are one. So each is answered with what was true after it was asked,
 * and what all need is read once for all, however many ask.
 */
export class Moments {
  #waiting = new Map<string, Question>();
  #running = false;
  #notBefore = 0;

  constructor(private readonly db: Db) {}

  /** @param key equal for equal questions, whose `read` may be run instead of this one */
  ask<T>(key: string, read: (moment: Moment) => Promise<T>): Promise<T> {
    const same = this.#waiting.get(key);
    if (same) return same.answer as Promise<T>;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.set(key, {
      answer: promise,
      read: async (moment) => resolve(await read(moment)),
      fail: reject,
    });
    if (!this.#running) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    // All that is asked in one turn of the process belongs together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const wait = this.#notBefore - performance.now();
      if (wait > 0) await delay(wait);
      const left = [...this.#waiting];
      this.#waiting = new Map();
      await this.#answer(left);
    }
    this.#running = false;
  }

  /** One question after the other; one that fails takes its transaction with it, and the rest goes on in another. */
  async #answer(left: [string, Question][]): Promise<void> {
    while (left.length > 0) {
      try {
        await inMoment(this.db, async (moment) => {
          for (let next = left[0]; next; next = left[0]) {
            await next[1].read(moment);
            left.shift();
            this.#notBefore = performance.now() + restAfter(moment.commonMs);
          }
        });
      } catch (error) {
        left.shift()?.[1].fail(error);
      }
    }
  }
}
