/**
 * A map for things that are usually absent. While it is empty it has no table; the table of an empty `Map`
 * takes 170 bytes.
 */
export class SparseMap<K, V> {
  #map: Map<K, V> | undefined;

  get size(): number {
    return this.#map?.size ?? 0;
  }

  has(key: K): boolean {
    return this.#map?.has(key) ?? false;
  }

  get(key: K): V | undefined {
    return this.#map?.get(key);
  }

  set(key: K, value: V): void {
    (this.#map ??= new Map()).set(key, value);
  }

  delete(key: K): void {
    this.#map?.delete(key);
    if (this.#map?.size === 0) this.#map = undefined;
  }

  /** The values now, in the order in which they were set. */
  values(): V[] {
    return this.#map ? [...this.#map.values()] : [];
  }
}
