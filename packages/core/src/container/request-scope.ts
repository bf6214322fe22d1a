import type { MaybePromise } from '../pipeline/operation.js';
import type { CallScope, CallSource } from '../pipeline/target.js';
import { inDependencyOrder, type Node } from './binding.js';
import type { Kernel } from './kernel.js';
import { disposeAll, initialise } from './lifecycle.js';

/** What has to be built for each call of a service in request scope; worked out once, at boot. */
export class RequestPlan {
  /** Each after what it depends on; the service itself is last. */
  readonly order: readonly Node[];

  constructor(readonly root: Node) {
    this.order = inDependencyOrder([root]).filter((node) => node.binding.scope === 'request');
  }
}

/** The instances of one call. */
export class RequestScope implements CallScope {
  private readonly instances = new Map<Node, unknown>();
  private readonly owned: unknown[] = [];

  constructor(
    private readonly kernel: Kernel,
    private readonly call: CallSource,
  ) {}

  /** The service that the plan ends with, built together with what it needs. */
  build({ order, root }: RequestPlan): MaybePromise<unknown> {
    return this.buildFrom(order, 0, root);
  }

  /** Disposes what was built, the last first. */
  dispose(): Promise<void> {
    return disposeAll(this.owned.splice(0));
  }

  /** Stays synchronous for as long as every factory and `onInit` is. */
  private buildFrom(order: readonly Node[], start: number, root: Node): MaybePromise<unknown> {
    for (let index = start; index < order.length; index++) {
      const node = order[index]!;
      if (this.instances.has(node)) continue;
      const built = this.buildOne(node);
      if (built instanceof Promise) return built.then(() => this.buildFrom(order, index + 1, root));
    }
    return this.instances.get(root);
  }

  private buildOne(node: Node): MaybePromise<unknown> {
    const dependencies = node.dependencies.map(
      (each) => each && (each.binding.scope === 'request' ? this.instances.get(each) : this.kernel.get(each)),
    );
    const created = node.binding.create(dependencies, this.call);
    return created instanceof Promise
      ? created.then((value) => this.adopt(node, value))
      : this.adopt(node, created);
  }

  private adopt(node: Node, instance: unknown): unknown {
    this.instances.set(node, instance);
    if (!node.binding.owned) return undefined;
    this.owned.push(instance);
    return initialise(instance);
  }
}
