/** The property that marks a number as an integer, while the compiler looks at it. */
export const INTEGER_MARK = '__toolwright_integer';

const DECLARATION = /\btype\s+integer\s*=\s*number\b/g;

/**
 * TypeScript erases `type integer = number` as it resolves types, so `integer[]`, `integer | null` and
 * `Promise<integer>` would all become `number`. Rewriting the one declaration that says so, in the text the compiler
 * sees, lets the mark travel through arrays, unions, generics and inference like any other type. The mark is
 * optional, hence plain numbers stay assignable.
 */
export function keepIntegerAlias(text: string): string {
  if (!text.includes('integer')) return text;
  return text.replace(DECLARATION, `type integer = number & { ${INTEGER_MARK}?: never }`);
}
