import { createHash } from 'node:crypto';

/** One decorated method, as far as a stale manifest can be told by it. */
export interface MethodShape {
  method: string;
  static?: boolean;
  /** Declared parameters, defaults, optional and rest ones included. */
  arity: number;
}

/**
 * Hash of a class's name and decorated methods (inherited ones included), the same at build time and at boot: an
 * entry whose `shape` differs from that of the class beside it was compiled from an older source.
 *
 * @returns 16 hexadecimal digits; independent of the order of the methods
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
