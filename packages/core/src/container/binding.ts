import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import type { CallSource } from '@toolwright/ground/call/operation/draft';
import type { MaybePromise } from '@toolwright/json';
import type { InjectionToken, OnDispose, OnInit, Scope } from './provider.js';

/** Something that must be built first. */
export interface Dependency {
  readonly token: InjectionToken;
  readonly optional: boolean;
  /** `parameter 0 (pages)`; messages show it. */
  readonly where: string;
}

/** How the value of one token is made, for every kind of provider. */
export interface Binding {
  readonly token: InjectionToken;
  readonly scope: Scope;
  readonly dependencies: readonly Dependency[];
  /** The class that is built, if there is one. */
  readonly target?: AnyClass;
  /** True when the container makes the value, and then also calls `onInit` and `onDispose`. */
  readonly owned: boolean;
  /** @param call present only in request scope */
  create(dependencies: readonly unknown[], call?: CallSource): MaybePromise<unknown>;
}

/**
 * A binding whose dependencies are known, so that it can be built. An optional dependency that is absent is
 * `undefined`.
 */
export interface Node {
  readonly binding: Binding;
  readonly dependencies: readonly (Node | undefined)[];
}

/** The nodes that `roots` need, and the roots themselves. Each comes after everything it depends on. */
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

/** Nest's names for the same two hooks. Classes that were written for Nest keep these names. */
interface NestHooks {
  onModuleInit(): unknown;
  onModuleDestroy(): unknown;
}

/** Calls `onInit`, or Nest's `onModuleInit`, if there is one. */
export function initialise(instance: unknown): unknown {
  if (has<OnInit>(instance, 'onInit')) return instance.onInit();
  return has<NestHooks>(instance, 'onModuleInit') ? instance.onModuleInit() : undefined;
}

/**
 * Calls `onDispose`, or Nest's `onModuleDestroy`, on each instance, the last built first. An error does not
 * stop the disposal of the others.
 *
 * @throws the only error, or an AggregateError of all
 */
export async function disposeAll(built: readonly unknown[]): Promise<void> {
  const errors: unknown[] = [];
  for (const instance of built.toReversed()) {
    try {
      if (has<OnDispose>(instance, 'onDispose')) await instance.onDispose();
      else if (has<NestHooks>(instance, 'onModuleDestroy')) await instance.onModuleDestroy();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1)
    throw new AggregateError(errors, `${errors.length} instances could not be disposed.`);
}

function has<T>(instance: unknown, method: keyof T): instance is T {
  return typeof instance === 'object' && instance !== null && typeof (instance as T)[method] === 'function';
}
