import { ConfigurationError } from '../base/errors/configuration-error.js';
import { reasonOf } from '../base/errors/failed-start.js';
import { disposeAll, inDependencyOrder, initialise, type Node } from './binding.js';
import { SessionScopes } from './session-scope.js';
import { describeToken } from './provider.js';

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
        this.instances.set(node, instance);
        fresh.push(node);
        if (node.binding.owned) await initialise(instance);
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
