import type { SessionHandle } from '@toolwright/ground/base/request-context';
import type { CallSource } from '@toolwright/ground/call/operation/draft';
import { getOrMake, type MaybePromise } from '@toolwright/json';
import { type Node, disposeAll, initialise } from './binding.js';
import type { Scope } from './provider.js';

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
    return getOrMake(this.#open, session, () => {
      const scope = new SessionScope({ scope: 'session', outer: this.outer });
      session.onEnd(() => {
        this.#open.delete(session);
        this.#ending.add(scope);
        scope.end({ disposed: () => this.#ending.delete(scope), failed: this.failed });
      });
      return scope;
    });
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

/** Where the instances of one scope come from. */
interface ScopeSource {
  /** The scope whose instances are built and kept here. */
  readonly scope: Exclude<Scope, 'singleton'>;
  /** Returns instances that live longer. */
  outer(node: Node): MaybePromise<unknown>;
  /** Only in request scope. */
  readonly call?: CallSource;
}

/**
 * The instances of one session or one call. Each is built once, even if two requests for it come at the same
 * time.
 */
export class ScopedInstances {
  readonly #instances = new Map<Node, MaybePromise<unknown>>();
  /** In the order in which they were built. */
  #owned: { node: Node; instance: unknown }[] = [];

  constructor(private readonly source: ScopeSource) {}

  /**
   * Returns the instance of a node. If it does not exist, it is built with everything it needs, synchronously
   * if factories and `onInit` are synchronous.
   */
  get(node: Node): MaybePromise<unknown> {
    if (node.binding.scope !== this.source.scope) return this.source.outer(node);
    if (this.#instances.has(node)) return this.#instances.get(node);
    const built = this.#build(node);
    this.#instances.set(node, built);
    // If building failed, the next request tries again.
    if (built instanceof Promise) built.catch(() => this.#instances.delete(node));
    return built;
  }

  /**
   * Disposes what `needed` does not contain, the last built first.
   *
   * @throws the error of disposing, after everything is disposed
   */
  async retain(needed: ReadonlySet<Node>): Promise<void> {
    const leaving = [...this.#instances].filter(([node]) => !needed.has(node));
    for (const [node] of leaving) this.#instances.delete(node);
    // An instance that is still being built has to be waited for, because nobody would dispose it later.
    await Promise.allSettled(leaving.map(([, instance]) => instance));
    const gone = this.#owned.filter(({ node }) => !needed.has(node));
    this.#owned = this.#owned.filter(({ node }) => needed.has(node));
    await disposeAll(gone.map(({ instance }) => instance));
  }

  #build(node: Node): MaybePromise<unknown> {
    const dependencies = node.dependencies.map((each) => each && this.get(each));
    return dependencies.some((each) => each instanceof Promise)
      ? Promise.all(dependencies).then((ready) => this.#create(node, ready))
      : this.#create(node, dependencies);
  }

  #create(node: Node, dependencies: readonly unknown[]): MaybePromise<unknown> {
    const created = node.binding.create(dependencies, this.source.call);
    return created instanceof Promise
      ? created.then((instance) => this.#adopt(node, instance))
      : this.#adopt(node, created);
  }

  #adopt(node: Node, instance: unknown): MaybePromise<unknown> {
    if (!node.binding.owned) return instance;
    this.#owned.push({ node, instance });
    const initialised = initialise(instance);
    return initialised instanceof Promise ? initialised.then(() => instance) : instance;
  }
}

/** Passed to `retain` to dispose everything. */
export const NOTHING: ReadonlySet<Node> = new Set();

/**
 * The instances of one session. They are disposed when the session has ended and no call uses them any more.
 */
export class SessionScope extends ScopedInstances {
  #users = 0;
  #onEnd: { disposed(): void; failed(error: unknown): void } | undefined;

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

  #disposeWhenOver(): void {
    const onEnd = this.#onEnd;
    if (!onEnd || this.#users > 0) return;
    void this.retain(NOTHING)
      .catch((error: unknown) => onEnd.failed(error))
      .then(() => onEnd.disposed());
  }
}
