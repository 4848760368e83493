import 'server-only';

interface Shared<T> {
  readonly running: Promise<T>;
  next: Promise<T> | undefined;
}

/**
 * Lets identical reads share their work and still answers each with what was true after it was asked: while one is under
 * way, those that come all wait for the one after it. So there are never more than one and the next, however many viewers.
 */
export class SharedReads<T> {
  readonly #reads = new Map<string, Shared<T>>();

  read(key: string, run: () => Promise<T>): Promise<T> {
    const shared = this.#reads.get(key);
    if (!shared) return this.#start(key, run);
    shared.next ??= shared.running.then(
      () => this.#start(key, run),
      () => this.#start(key, run),
    );
    return shared.next;
  }

  #start(key: string, run: () => Promise<T>): Promise<T> {
    const shared: Shared<T> = { running: run(), next: undefined };
    this.#reads.set(key, shared);
    const end = () => {
      // Its successor, if there is one, takes its place.
      if (this.#reads.get(key) === shared && !shared.next) this.#reads.delete(key);
    };
    shared.running.then(end, end);
    return shared.running;
  }
}
