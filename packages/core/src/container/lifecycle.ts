import type { OnDispose, OnInit } from './provider.js';

/** Calls `onInit` where there is one. */
export function initialise(instance: unknown): unknown {
  return has<OnInit>(instance, 'onInit') ? instance.onInit() : undefined;
}

/**
 * Calls `onDispose` on each, the last built first; one that fails keeps none of the others from being disposed.
 *
 * @throws the only error, or an AggregateError of all
 */
export async function disposeAll(built: readonly unknown[]): Promise<void> {
  const errors: unknown[] = [];
  for (const instance of built.toReversed()) {
    try {
      if (has<OnDispose>(instance, 'onDispose')) await instance.onDispose();
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
