import { createHash } from 'node:crypto';

/** The parts of a decorated method that show whether a manifest is stale. */
export interface MethodShape {
  method: string;
  static?: boolean;
  /** The number of declared parameters, including optional ones, rest parameters and those with defaults. */
  arity: number;
}

/**
 * A hash of a class's name and its decorated methods, including inherited ones. It is the same at build time
 * and at boot. If the `shape` of an entry differs from that of the class at run time, the entry was compiled
 * from an older source.
 *
 * @returns 16 hexadecimal digits; the order of the methods does not matter
 */
export function shapeOf(className: string, methods: readonly MethodShape[]): string {
  const lines = methods
    .map(({ method, static: isStatic, arity }) => `${isStatic ? '::' : '.'}${method}/${arity}`)
    .sort();
  return createHash('sha256')
    .update([className, ...lines].join('\n'))
    .digest('hex')
    .slice(0, 16);
}
