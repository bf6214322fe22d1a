/** Values by key, which tell React when one of them changes. */
export class KeyedStore<T> {
  readonly #values = new Map<string, T>();
  /** How many values had been set when each of them was. */
  readonly #places = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #count = 0;

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  /** How many values have been set so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Sets a value, unless a newer one is there.
   *
   * @param count how many values had been set when this one was asked for; default: it is new
   */
  set(key: string, value: T, count = this.#count): void {
    if ((this.#places.get(key) ?? 0) > count) return;
    this.#places.set(key, ++this.#count);
    this.#values.set(key, value);
    this.#listeners.forEach((listener) => listener());
  }

  find(fits: (value: T) => boolean): T | undefined {
    return [...this.#values.values()].find(fits);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}
