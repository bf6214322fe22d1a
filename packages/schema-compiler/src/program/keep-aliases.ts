/** The property that keeps a documented alias of a string apart from any other string. */
const ALIAS_MARK = '__toolwright_alias';

const INTEGER = /\btype\s+integer\s*=\s*number\b/g;

/** A doc comment with a tag in it, right before the alias of a primitive. */
const DOCUMENTED =
  /(\/\*\*(?:[^*]|\*(?!\/))*@(?:[^*]|\*(?!\/))*\*\/\s*(?:export\s+)?(?:declare\s+)?)type(\s+\w+)\s*=\s*(string|number)(?=\s*(?:;|\n))/g;

/**
 * TypeScript erases an alias of a primitive as it resolves types: `type integer = number` in `integer[]`,
 * `integer | null` and `Promise<integer>` would be a plain number, and so would be a `Share` with a `@maximum 1`.
 * Rewriting the declarations in the text the compiler sees lets the alias travel through arrays, unions, generics and
 * inference like any other type.
 *
 * A number becomes an enum without members: numbers are assignable to it and it to numbers, and unlike a branded
 * number it is no object to a conditional type. There is no such enum of strings; they get an optional mark.
 */
export function keepAliases(text: string): string {
  if (!/\btype\s+\w+\s*=\s*(?:string|number)\b/.test(text)) return text;
  return text
    .replace(INTEGER, 'enum integer {}')
    .replace(DOCUMENTED, (_all, before: string, name: string, primitive: string) =>
      primitive === 'number'
        ? `${before}enum${name} {}`
        : `${before}type${name} = string & { ${ALIAS_MARK}?: never }`,
    );
}
