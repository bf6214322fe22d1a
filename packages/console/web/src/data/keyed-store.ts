import { useSyncExternalStore } from 'react';

/** Values by key, which tell React when one of them changes. */
export class KeyedStore<T> {
  readonly #values = new Map<string, T>();
  readonly #listeners = new Set<() => void>();

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
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

/** The value under a key. */
export function useKeyed<T>(store: KeyedStore<T>, key: string | undefined): T | undefined {
  return useSyncExternalStore(store.subscribe, () => (key === undefined ? undefined : store.get(key)));
}

/** The first value that fits. */
export function useFound<T>(store: KeyedStore<T>, fits: (value: T) => boolean): T | undefined {
  return useSyncExternalStore(store.subscribe, () => store.find(fits));
}
