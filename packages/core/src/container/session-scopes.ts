import type { SessionHandle } from '../base/request-context.js';
import type { Node } from './binding.js';
import { SessionScope } from './session-scope.js';

/** What lives as long as a session of a client, for every session that uses any of it. */
export class SessionScopes {
  /** By the session itself, never by its id: nothing that two sessions could share. */
  readonly #open = new Map<SessionHandle, SessionScope>();
  /** Ended, and still in use or being disposed. */
  readonly #ending = new Set<SessionScope>();

  /**
   * @param outer gives what lives as long as the server
   * @param failed is told what disposing threw: whoever ends a session does not wait for it
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
   * Disposes what `needed` does not hold, in every session.
   *
   * @throws the first of what disposing threw, when all are disposed
   */
  async retain(needed: ReadonlySet<Node>): Promise<void> {
    const scopes = [...this.#open.values(), ...this.#ending];
    const outcomes = await Promise.allSettled(scopes.map((scope) => scope.retain(needed)));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }
}
