import * as module from 'node:module';

/** Node.js 22.13 and later. */
const strip = (module as { stripTypeScriptTypes?: (code: string) => string }).stripTypeScriptTypes;

/** Whether type annotations are taken out. */
export const takesTypes = strip !== undefined;

/**
 * The JavaScript of a program, line by line where it was: out of the fence of Markdown around it, without the `export` in front, and
 * without type annotations where Node.js can take them out.
 *
 * @throws {Error} for TypeScript that is more than annotations, such as `enum`
 */
export function plainCode(given: string): string {
  const [, fenced = given] = /^\s*(?:```|~~~)\w*(\n[^]*?)\n?(?:```|~~~)\s*$/.exec(given) ?? [];
  const code = fenced.replace(/^(\s*)export\b(?:[ \t]+default\b)?/, '$1');
  return strip && mayHaveTypes(code) ? withoutTypes(code, strip) : code;
}

/** A sign or a word of TypeScript. Most programs have a colon, and stripping takes a millisecond. */
export function mayHaveTypes(code: string): boolean {
  return /[:<]|[\w)\]]![^=]|\b(?:as|enum|interface|namespace|satisfies|type)\b/.test(code);
}

/** What a program may be: an expression, such as a function, or a body. At the top of a module, `return` is a mistake. */
const FRAMES = [
  ['async function program() {', '\n}'],
  ['async () => (', '\n)'],
] as const;

function withoutTypes(code: string, stripTypes: (code: string) => string): string {
  let refused: unknown;
  for (const [head, tail] of FRAMES) {
    try {
      const stripped = stripTypes(`${head}${code}${tail}`);
      return stripped.slice(head.length, stripped.length - tail.length);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') refused ??= error;
    }
  }
  if (refused instanceof Error)
    throw new Error(`${refused.message.split('\n')[0]!}. A program may have type annotations only.`);
  // Its mistake is said where the program is compiled, in the words of the language.
  return code;
}
