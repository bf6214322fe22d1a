import type { MaybePromise } from '../base/maybe-promise.js';
import type { Node } from './binding.js';
import { NOTHING, ScopedInstances } from './scoped-instances.js';

/** The instances of one session: disposed when it has ended and the last call that uses them is over. */
export class SessionScope {
  readonly #instances: ScopedInstances;
  #users = 0;
  #onEnd: { disposed(): void; failed(error: unknown): void } | undefined;

  /** @param outer gives what lives as long as the server */
  constructor(outer: (node: Node) => unknown) {
    this.#instances = new ScopedInstances({ scope: 'session', outer });
  }

  get(node: Node): MaybePromise<unknown> {
    return this.#instances.get(node);
  }

  /** Keeps the instances for a call. The function that comes back lets go of them; call it once. */
  enter(): () => void {
    this.#users++;
    return () => {
      this.#users--;
      this.#disposeWhenOver();
    };
  }

  /** The session has ended. `disposed` runs when everything is disposed, `failed` before it with what that threw. */
  end(onEnd: { disposed(): void; failed(error: unknown): void }): void {
    this.#onEnd = onEnd;
    this.#disposeWhenOver();
  }

  /** Disposes what `needed` does not hold, whether it is in use or not. @throws what disposing throws */
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
