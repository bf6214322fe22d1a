import type { OnDispose, OnInit } from './provider.js';

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
