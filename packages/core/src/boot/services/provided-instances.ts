import type { Node } from '../../container/binding.js';
import { describeToken, type InjectionToken } from '../../container/token.js';
import { ConfigurationError } from '../../base/errors/configuration-error.js';
import type { BindingContext } from './binding-context.js';

/** The instances that the application itself got from the container. */
export class ProvidedInstances {
  private readonly asked = new Map<Node, Promise<void>>();

  constructor(private readonly binding: Pick<BindingContext, 'container' | 'kernel' | 'constructorTypes'>) {}

  /** These nodes stay even if the services that used them are removed. */
  nodes(): Iterable<Node> {
    return this.asked.keys();
  }

  /**
   * @throws {ConfigurationError} if nothing provides it, it cannot be built, or its scope is one call or
   * session
   */
  async get(token: InjectionToken): Promise<unknown> {
    const { container, kernel, constructorTypes } = this.binding;
    await constructorTypes.prepare(token);
    const node = container.link(token);
    if (!node) throw new ConfigurationError(container.takeProblems());
    if (node.binding.scope !== 'singleton') throw livesShorter(token);
    await (this.asked.get(node) ?? this.build(node));
    return kernel.get(node);
  }

  /** Two requests at the same time must not build two instances. */
  private build(node: Node): Promise<void> {
    const building = this.binding.kernel.start([node]);
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
