/** The property that distinguishes a documented alias of string from other strings. */
const ALIAS_MARK = '__toolwright_alias';

const INTEGER = /\btype\s+integer\s*=\s*number\b/g;

/** A doc comment that contains a tag, directly before the alias of a primitive type. */
const DOCUMENTED =
  /(\/\*\*(?:[^*]|\*(?!\/))*@(?:[^*]|\*(?!\/))*\*\/\s*(?:export\s+)?(?:declare\s+)?)type(\s+\w+)\s*=\s*(string|number)(?=\s*(?:;|\n))/g;

/**
 * TypeScript drops an alias of a primitive type when it resolves types. With `type integer = number`,
 * `integer[]`, `integer | null` and `Promise<integer>` would contain a plain number. A `Share` with
 * `@maximum 1` would lose its limit in the same way. So the declarations are rewritten in the text that the
 * compiler reads. The alias then stays in arrays, unions, generics and inference like any other type.
 *
 * An alias of number becomes an enum without members. Numbers are assignable to it, and it is assignable to
 * numbers. Unlike a branded number, conditional types do not take it for an object. There is no such enum of
 * strings, so an alias of string gets an optional property as a mark.
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
