import { ConfigurationError } from '../../base/errors/configuration-error.js';
import type { AnyClass } from '../../base/metadata/store.js';
import type { CallScope, Target } from '../../call/operation/draft.js';
import type { Node } from '../../container/binding.js';
import type { Kernel } from '../../container/kernel.js';
import { type InjectionToken, describeToken } from '../../container/provider.js';
import { RequestScope } from '../../container/request-scope.js';
import type { BindingServer } from './bound-service.js';

/** How a call gets the instance of a node. This is decided once, at boot. */
export function instanceSource(node: Node, kernel: Kernel): Target['instance'] {
  if (node.binding.scope === 'singleton') return () => kernel.get(node);
  return (scope: CallScope | undefined) => (scope as RequestScope).get(node);
}

/** Static methods are called on their class. */
export function staticSource(target: AnyClass): Target['instance'] {
  return () => target;
}

/** How a call gets the values that the container fills in. */
export function injectedValues(
  nodes: ReadonlyMap<number, Node | undefined>,
  kernel: Kernel,
): Target['injected'] {
  if (nodes.size === 0) return undefined;
  return [...nodes].map(([index, node]) => ({
    index,
    value: node ? instanceSource(node, kernel) : () => undefined,
  }));
}

/** Opens a scope for each call, if one of the nodes does not live as long as the server. */
export function scopeOpener(nodes: readonly (Node | undefined)[], kernel: Kernel): Target['openScope'] {
  if (nodes.every((node) => !node || node.binding.scope === 'singleton')) return undefined;
  return (call) => new RequestScope(kernel, call);
}

/** The instances that the application itself got from the container. */
export class ProvidedInstances {
  private readonly asked = new Map<Node, Promise<void>>();

  constructor(private readonly server: BindingServer) {}

  /** These nodes stay even if the services that used them are removed. */
  nodes(): Iterable<Node> {
    return this.asked.keys();
  }

  /**
   * @throws {ConfigurationError} if nothing provides it, it cannot be built, or its scope is one call or
   * session
   */
  async get(token: InjectionToken): Promise<unknown> {
    const { container, kernel, constructorTypes } = this.server;
    await constructorTypes.prepare(token);
    const node = container.link(token);
    if (!node) throw new ConfigurationError(container.takeProblems());
    if (node.binding.scope !== 'singleton') throw livesShorter(token);
    await (this.asked.get(node) ?? this.build(node));
    return kernel.get(node);
  }

  /** Two requests at the same time must not build two instances. */
  private build(node: Node): Promise<void> {
    const building = this.server.kernel.start([node]);
    this.asked.set(node, building);
    building.catch(() => this.asked.delete(node));
    return building;
  }
}

function livesShorter(token: InjectionToken): ConfigurationError {
  const name = describeToken(token);
  return new ConfigurationError([
    {
      code: 'TW_DEPENDENCY_CAPTIVE',
      message: `${name} lives for one call or one session, but server.get returns only what lives as long as the server.`,
      fix: `Give ${name} the scope 'singleton', or ask for it in a service of its own scope.`,
    },
  ]);
}
