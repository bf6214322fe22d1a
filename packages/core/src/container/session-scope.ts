import type { MaybePromise } from '../base/maybe-promise.js';
import type { Node } from './binding.js';
import { NOTHING, ScopedInstances } from './scoped-instances.js';

/**
 * The instances of one session. They are disposed when the session has ended and no call uses them any more.
 */
export class SessionScope {
  readonly #instances: ScopedInstances;
  #users = 0;
  #onEnd: { disposed(): void; failed(error: unknown): void } | undefined;

  /** @param outer returns instances that live as long as the server */
  constructor(outer: (node: Node) => unknown) {
    this.#instances = new ScopedInstances({ scope: 'session', outer });
  }

  get(node: Node): MaybePromise<unknown> {
    return this.#instances.get(node);
  }

  /** Keeps the instances for a call. Call the returned function once, when the call has ended. */
  enter(): () => void {
    this.#users++;
    return () => {
      this.#users--;
      this.#disposeWhenOver();
    };
  }

  /**
   * Ends the session. `disposed` runs when everything is disposed. If disposing fails, `failed` runs before
   * it.
   */
  end(onEnd: { disposed(): void; failed(error: unknown): void }): void {
    this.#onEnd = onEnd;
    this.#disposeWhenOver();
  }

  /** Disposes what `needed` does not contain, even if it is in use. @throws the error of disposing */
  retain(needed: ReadonlySet<Node>): Promise<void> {
    return this.#instances.retain(needed);
  }

  #disposeWhenOver(): void {
    const onEnd = this.#onEnd;
    if (!onEnd || this.#users > 0) return;
    void this.retain(NOTHING)
      .catch((error: unknown) => onEnd.failed(error))
      .then(() => onEnd.disposed());
  }
}
