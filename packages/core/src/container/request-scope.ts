import { ToolError } from '../base/errors/errors.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { Era } from '../base/request-context.js';
import type { CallScope, CallSource } from '../call/operation/draft.js';
import type { Node } from './binding.js';
import type { Kernel } from './kernel.js';
import { NOTHING, ScopedInstances } from './scoped-instances.js';
import type { SessionScope } from './session-scope.js';

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
