/**
 * Tells whoever waits for a person that the server stops. It is not an `AbortSignal`, because many may wait, and Node warns
 * of a signal with more than ten listeners.
 */
export interface ServerStop {
  /** True as soon as the server stops. */
  readonly hasBegun: boolean;
  /** Calls `wake` once when the server begins to stop. @returns what ends the watching */
  watch(wake: () => void): () => void;
}

/** The stop of one server. */
export class BeginningStop implements ServerStop {
  readonly #watching = new Set<() => void>();
  #hasBegun = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  watch(wake: () => void): () => void {
    this.#watching.add(wake);
    return () => void this.#watching.delete(wake);
  }

  begin(): void {
    this.#hasBegun = true;
    const watching = [...this.#watching];
    this.#watching.clear();
    for (const wake of watching) wake();
  }
}
