/**
 * Names something the container can provide, where a class cannot: an interface, a value, one of several.
 *
 * @example
 * const DATABASE = new Token<Database>('database');
 */
export class Token<T> {
  /** Ties the type to the token; never set. */
  declare protected readonly type: T;

  constructor(readonly name: string) {}

  toString(): string {
    return `Token(${this.name})`;
  }
}

/** A class as a token. Abstract classes will do, and classes with a private constructor, which a factory calls. */
export type ClassToken<T> =
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- the only form that admits a private constructor
  (abstract new (...args: never[]) => T) | (Function & { readonly prototype: T });

/** Whatever the container can be asked for. */
export type InjectionToken<T = unknown> = ClassToken<T> | Token<T> | string | symbol;

/** How a token is called in messages. */
export function describeToken(token: unknown): string {
  if (typeof token === 'function') return token.name || 'an anonymous class';
  return typeof token === 'string' ? `"${token}"` : String(token);
}
