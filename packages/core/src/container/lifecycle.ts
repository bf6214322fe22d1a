import type { OnDispose, OnInit } from './provider.js';

/** What Nest calls the same two moments. Classes that were written for it keep their names. */
interface NestHooks {
  onModuleInit(): unknown;
  onModuleDestroy(): unknown;
}

/** Calls `onInit` where there is one, or Nest's `onModuleInit`. */
export function initialise(instance: unknown): unknown {
  if (has<OnInit>(instance, 'onInit')) return instance.onInit();
  return has<NestHooks>(instance, 'onModuleInit') ? instance.onModuleInit() : undefined;
}

/**
 * Calls `onDispose` on each, or Nest's `onModuleDestroy`, the last built first; one that fails keeps none of the others from being disposed.
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
