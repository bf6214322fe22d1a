/** The property that marks a number as an integer, while the compiler looks at it. */
export const INTEGER_MARK = '__toolwright_integer';

/** The property that keeps a documented alias of a primitive apart from the primitive. */
const ALIAS_MARK = '__toolwright_alias';

const INTEGER = /\btype\s+integer\s*=\s*number\b/g;

/** A doc comment with a tag in it, right before the alias of a primitive. */
const DOCUMENTED =
  /(\/\*\*(?:[^*]|\*(?!\/))*@(?:[^*]|\*(?!\/))*\*\/\s*(?:export\s+)?(?:declare\s+)?type\s+\w+\s*=\s*)(string|number|boolean)(?=\s*(?:;|\n))/g;

/**
 * TypeScript erases an alias of a primitive as it resolves types: `type integer = number` in `integer[]`,
 * `integer | null` and `Promise<integer>` would be a plain number, and so would be an `Email` with a `@format email`.
 * Rewriting the declarations in the text the compiler sees lets the alias travel through arrays, unions, generics and
 * inference like any other type. The marks are optional, hence plain values stay assignable.
 */
export function keepAliases(text: string): string {
  if (!/\btype\s+\w+\s*=\s*(?:string|number|boolean)\b/.test(text)) return text;
  return text
    .replace(INTEGER, `type integer = number & { ${INTEGER_MARK}?: never }`)
    .replace(DOCUMENTED, `$1$2 & { ${ALIAS_MARK}?: never }`);
}
