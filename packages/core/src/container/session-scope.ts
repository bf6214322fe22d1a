import type { MaybePromise } from '../base/maybe-promise.js';
import type { SessionHandle } from '../base/request-context.js';
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

/** The instances with session scope, for every session that uses any. */
export class SessionScopes {
  /** The key is the session itself, and never its id: two sessions can then never share anything. */
  readonly #open = new Map<SessionHandle, SessionScope>();
  /** The scopes of sessions that have ended, but that are still in use or being disposed. */
  readonly #ending = new Set<SessionScope>();

  /**
   * @param outer returns instances that live as long as the server
   * @param failed is called with errors of disposing, because the end of a session does not wait for it
   */
  constructor(
    private readonly outer: (node: Node) => unknown,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** The instances of a session. */
  of(session: SessionHandle): SessionScope {
    const known = this.#open.get(session);
    if (known) return known;
    const scope = new SessionScope(this.outer);
    this.#open.set(session, scope);
    session.onEnd(() => {
      this.#open.delete(session);
      this.#ending.add(scope);
      scope.end({ disposed: () => this.#ending.delete(scope), failed: this.failed });
    });
    return scope;
  }

  /**
   * Disposes what `needed` does not contain, in every session.
   *
   * @throws the first error of disposing, after everything is disposed
   */
  async retain(needed: ReadonlySet<Node>): Promise<void> {
    const scopes = [...this.#open.values(), ...this.#ending];
    const outcomes = await Promise.allSettled(scopes.map((scope) => scope.retain(needed)));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }
}
