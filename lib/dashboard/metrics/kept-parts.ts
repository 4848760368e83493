import 'server-only';
import type { Gathered } from './gathered';
import type { Span } from './periods';
import { RecentMap } from './recent-map';

/** Parts of answers that are kept. */
const MOST_KEPT = 512;

/** Periods that were summed up anew since, or null: too many to say. */
export type SummedUp = readonly Span[] | null;

interface Kept {
  readonly spans: readonly Span[];
  readonly value: Gathered;
}

/**
 * What was read of periods that are not stale: it is the same until one of them is summed up anew, which the roll-up counts as
 * a generation and writes down (`usage_summed`).
 */
export class KeptParts {
  readonly #parts = new RecentMap<Kept>(MOST_KEPT);
  /** Up to which generation what is kept has been looked through. */
  #generation = -1;

  get generation(): number {
    return this.#generation;
  }

  /** Forgets what is no longer so. @param summedUp since {@link generation} */
  moveTo(generation: number, summedUp: SummedUp): void {
    if (generation <= this.#generation) return;
    this.#generation = generation;
    this.#parts.deleteWhere(
      ({ spans }) =>
        summedUp === null ||
        spans.some((span) => summedUp.some((one) => one.lo < span.hi && span.lo < one.hi)),
    );
  }

  /**
   * The part with this key, from before or read now.
   * @param generation of the snapshot that is read in: one from before or after what is kept has no part in it
   * @param spans which periods the part is made of
   */
  async read(
    generation: number,
    key: string,
    spans: readonly Span[],
    read: () => Promise<Gathered>,
  ): Promise<Gathered> {
    if (generation !== this.#generation) return read();
    const found = this.#parts.get(key);
    if (found) return found.value;
    const value = await read();
    if (generation === this.#generation) this.#parts.set(key, { spans, value });
    return value;
  }
}
