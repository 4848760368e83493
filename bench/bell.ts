const POLL_MS = 250;

/** Wakes who waits for news; a ring between the look and the wait is not missed. */
export class Bell {
  #rings = 0;
  readonly #waiting = new Set<() => void>();

  ring(): void {
    this.#rings += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Call it before looking; what it returns waits for the next ring since then, or a quarter of a second. */
  listen(): () => Promise<void> {
    const before = this.#rings;
    return () => {
      if (this.#rings !== before) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, POLL_MS);
        this.#waiting.add(wake);
      });
    };
  }
}
