import { useSyncExternalStore } from 'react';

/** A choice of the person that the browser remembers. */
export class Setting<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly name: string,
    initial: T,
    private readonly storage: Storage = localStorage,
  ) {
    this.#value = this.#read() ?? initial;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    try {
      this.storage.setItem(this.#key, JSON.stringify(value));
    } catch {
      // A full or forbidden storage: the choice lasts as long as the page.
    }
    this.#listeners.forEach((listener) => listener());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  get #key(): string {
    return `toolwright.${this.name}`;
  }

  #read(): T | undefined {
    try {
      const text = this.storage.getItem(this.#key);
      return text === null ? undefined : (JSON.parse(text) as T);
    } catch {
      return undefined;
    }
  }
}

export function useSetting<T>(setting: Setting<T>): [T, (value: T) => void] {
  const value = useSyncExternalStore(setting.subscribe, () => setting.value);
  return [value, (next) => setting.set(next)];
}
