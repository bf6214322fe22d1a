import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import { ToolError } from '@toolwright/ground/base/errors/errors';
import type { Era } from '@toolwright/ground/base/request-context';
import type { CallScope, CallSource } from '@toolwright/ground/call/operation/draft';
import { type MaybePromise, reasonOf } from '@toolwright/json';
import { disposeAll, inDependencyOrder, initialise, type Node } from './binding.js';
import { describeToken } from './provider.js';
import { SessionScopes, NOTHING, ScopedInstances, type SessionScope } from './session-scope.js';

/** Holds every singleton, built in the order of dependencies. */
export class Kernel {
  /** The instances, in the order in which they were built. */
  private readonly instances = new Map<Node, unknown>();
  private isClosed = false;
  #sessions: SessionScopes | undefined;

  /** @param failed is called with errors of disposing at the end of a session */
  constructor(private readonly failed: (error: unknown) => void) {}

  /** The instances of sessions. Most servers have none. */
  get sessions(): SessionScopes {
    return (this.#sessions ??= new SessionScopes((node) => this.get(node), this.failed));
  }

  /**
   * Builds the singletons among `roots` and everything that they need, unless it already exists.
   *
   * @throws {ConfigurationError} when one cannot be built; the singletons that were built just before are disposed
   * again
   */
  async start(roots: readonly Node[]): Promise<void> {
    const fresh: Node[] = [];
    for (const node of inDependencyOrder(roots)) {
      if (node.binding.scope !== 'singleton' || this.instances.has(node)) continue;
      try {
        if (this.isClosed) throw new Error('The server is closed.');
        const instance = await node.binding.create(
          node.dependencies.map((each) => each && this.instances.get(each)),
        );
        const { owned, token } = node.binding;
        // Somebody has forgotten a `return`. Otherwise the first call would find out.
        if (owned && instance === undefined && typeof token === 'function')
          throw new Error('its useFactory returned nothing.');
        this.instances.set(node, instance);
        fresh.push(node);
        if (owned) await initialise(instance);
      } catch (error) {
        await this.stop(fresh).catch(() => undefined);
        throw cannotStart(node, error);
      }
    }
  }

  /** The instance of a singleton that was built. */
  get(node: Node): unknown {
    return this.instances.get(node);
  }

  /** Disposes everything. After that it builds nothing, because nobody would dispose it. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.retain([]);
  }

  /** Disposes what no node of `remaining` needs; what was built last goes first. */
  async retain(remaining: readonly Node[]): Promise<void> {
    const needed = new Set(inDependencyOrder(remaining));
    try {
      await this.#sessions?.retain(needed);
    } finally {
      await this.stop([...this.instances.keys()].filter((node) => !needed.has(node)));
    }
  }

  private async stop(nodes: readonly Node[]): Promise<void> {
    const owned = nodes.filter((node) => node.binding.owned).map((node) => this.instances.get(node));
    for (const node of nodes) this.instances.delete(node);
    await disposeAll(owned);
  }
}

function cannotStart(node: Node, error: unknown): ConfigurationError {
  const problem = {
    code: 'TW_SERVICE_START',
    message: `${describeToken(node.binding.token)} could not be built: ${reasonOf(error)}`,
    fix: 'Repair what its cause says. Everything that was built before it has been disposed.',
  } as const;
  return new ConfigurationError([problem], { cause: error });
}

/** The instances that one call uses: its own, the instances of its session, and the singletons of the server. */
export class RequestScope implements CallScope {
  readonly #instances: ScopedInstances;
  #session: { readonly scope: SessionScope; leave(): void } | undefined;

  constructor(
    private readonly kernel: Kernel,
    private readonly call: CallSource,
  ) {
    const outer = (node: Node) =>
      node.binding.scope === 'session' ? this.#sessionScope().get(node) : kernel.get(node);
    this.#instances = new ScopedInstances({ scope: 'request', outer, call });
  }

  /**
   * Returns the instance of a node. It is the same for the whole call.
   *
   * @throws {SessionRequiredError} if its scope is the session, and the call has no session
   */
  get(node: Node): MaybePromise<unknown> {
    return this.#instances.get(node);
  }

  dispose(): Promise<void> {
    return this.#instances.retain(NOTHING);
  }

  /** Instances of the session stay until the method ends, even if it ignores its deadline. */
  leave(): void {
    this.#session?.leave();
    this.#session = undefined;
  }

  #sessionScope(): SessionScope {
    if (!this.#session) {
      const { session, era } = this.call.request;
      if (!session) throw new SessionRequiredError(this.call.operation.name, era);
      if (session.isResumed) throw new SessionElsewhereError(this.call.operation.name);
      const scope = this.kernel.sessions.of(session);
      this.#session = { scope, leave: scope.enter() };
    }
    return this.#session.scope;
  }
}

/** A call needs an instance with session scope, but it has no session. */
class SessionRequiredError extends ToolError {
  /** @param name of the operation, as clients see it */
  constructor(name: string, era: Era) {
    const reason =
      era === 'stateless'
        ? 'protocol revision 2026-07-28 has no sessions. Connect with revision 2025-11-25 or older'
        : 'this server keeps no sessions over HTTP (option sessions: false). Connect over stdio';
    super(
      `"${name}" keeps state for each session, and ${reason}. To serve it without sessions, its author can give out an id that callers pass back as an argument, or keep the state by ctx.principal.`,
      { code: 'TW_SESSION_REQUIRED' },
    );
  }
}

/**
 * A call needs something that another process keeps for its session, or that this process has already
 * forgotten.
 */
class SessionElsewhereError extends ToolError {
  /** @param name of the operation, as clients see it */
  constructor(name: string) {
    super(
      `"${name}" keeps state for each session, and this server process does not have the state of your session: another process has it, or it has ended. Open a new session to start again.`,
      { code: 'TW_SESSION_ELSEWHERE' },
    );
  }
}
