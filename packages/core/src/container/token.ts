/**
 * Names something that the container can provide and that no class can name: an interface, a value, or one
 * choice among several.
 *
 * @example
 * const DATABASE = new Token<Database>('database');
 */
export class Token<T> {
  /** Ties the type to the token. It is never set. */
  declare protected readonly type: T;

  constructor(readonly name: string) {}

  toString(): string {
    return `Token(${this.name})`;
  }
}

/** A class as a token. It may be abstract, and its constructor may be private; then a factory builds it. */
export type ClassToken<T> =
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- the only form that admits a private constructor
  (abstract new (...args: never[]) => T) | (Function & { readonly prototype: T });

/** Everything that the container can be asked for. */
export type InjectionToken<T = unknown> = ClassToken<T> | Token<T> | string | symbol;

/** The name of a token in messages. */
export function describeToken(token: unknown): string {
  if (typeof token === 'function') return token.name || 'an anonymous class';
  return typeof token === 'string' ? `"${token}"` : String(token);
}
