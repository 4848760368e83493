import 'server-only';

/** A transaction is ended by the server when it idles for so long; an id that has not come by then never does. */
const GAP_MS = 60_000;
/** Ids that may still come, at most; more are given up, and a recount finds what they would have told. */
const MAX_GAPS = 2_000;

/**
 * Where a reader of `task_events` stands. Ids are given out in order but committed in any: the ones that were left out
 * below the newest are remembered, and asked for again, until they have come or can't come any more.
 */
export class EventCursor {
  private newest = 0;
  private readonly gaps = new Map<number, number>();

  /** The highest id seen; asked for is what lies above. */
  get position(): number {
    return this.newest;
  }

  /** Ids below the position that have not been seen yet. */
  get missing(): number[] {
    return [...this.gaps.keys()];
  }

  /**
   * Notes what has been read.
   * @param ids in any order
   * @param complete whether these are all above the position; else ids below the lowest of them count as read
   * @param now milliseconds
   */
  note(ids: readonly number[], complete: boolean, now: number): void {
    for (const id of ids) this.gaps.delete(id);
    for (const [id, since] of this.gaps) if (now - since > GAP_MS) this.gaps.delete(id);
    const above = ids.filter((id) => id > this.newest).sort((a, b) => a - b);
    const last = above.at(-1);
    if (last === undefined) return;
    let expected = complete ? this.newest + 1 : (above[0] ?? 0);
    // Further back than can be remembered nothing is looked for.
    expected = Math.max(expected, last - 10 * MAX_GAPS);
    for (const id of above) {
      for (; expected < id; expected += 1) this.gaps.set(expected, now);
      expected = id + 1;
    }
    this.newest = last;
    for (const id of this.gaps.keys()) {
      if (this.gaps.size <= MAX_GAPS) break;
      this.gaps.delete(id);
    }
  }
}
