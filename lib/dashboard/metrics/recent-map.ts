/** A map of limited size: what was asked for longest ago goes first. */
export class RecentMap<V> {
  readonly #values = new Map<string, V>();

  constructor(private readonly most: number) {}

  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const oldest = this.#values.keys().next();
    if (this.#values.size > this.most && !oldest.done) this.#values.delete(oldest.value);
  }

  deleteWhere(isToGo: (value: V) => boolean): void {
    for (const [key, value] of this.#values) if (isToGo(value)) this.#values.delete(key);
  }
}
