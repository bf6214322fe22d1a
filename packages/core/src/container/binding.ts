import type { MaybePromise } from '../base/maybe-promise.js';
import type { AnyClass } from '../base/metadata/store.js';
import type { CallSource } from '../call/operation/target.js';
import type { Scope } from './provider.js';
import type { InjectionToken } from './token.js';

/** One thing that has to be there first. */
export interface Dependency {
  readonly token: InjectionToken;
  readonly optional: boolean;
  /** `parameter 0 (pages)`, for messages. */
  readonly where: string;
}

/** How one token's value comes to be, whichever kind of provider said so. */
export interface Binding {
  readonly token: InjectionToken;
  readonly scope: Scope;
  readonly dependencies: readonly Dependency[];
  /** The class that is built, where one is. */
  readonly target?: AnyClass;
  /** Made by the container, which then also calls `onInit` and `onDispose`. */
  readonly owned: boolean;
  /** @param call in request scope only */
  create(dependencies: readonly unknown[], call?: CallSource): MaybePromise<unknown>;
}

/** A binding whose dependencies are known: ready to be built. `undefined` stands for an absent optional one. */
export interface Node {
  readonly binding: Binding;
  readonly dependencies: readonly (Node | undefined)[];
}

/** The nodes that `roots` need, themselves included, each after everything it depends on. */
export function inDependencyOrder(roots: readonly Node[]): Node[] {
  const order = new Set<Node>();
  const visit = (node: Node): void => {
    if (order.has(node)) return;
    for (const dependency of node.dependencies) if (dependency) visit(dependency);
    order.add(node);
  };
  roots.forEach(visit);
  return [...order];
}
