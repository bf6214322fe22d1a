import * as module from 'node:module';

/** Node.js 22.13 and later. */
const strip = (module as { stripTypeScriptTypes?: (code: string) => string }).stripTypeScriptTypes;

/** Takes type annotations out of a program, where Node.js can. Code without any stays as it is. */
export function withoutTypes(code: string): string {
  if (!strip || !mayHaveTypes(code)) return code;
  const [head, tail] = ['async function program() {', '\n}'];
  try {
    // A program is the body of a function: at the top of a module, `return` is a mistake.
    const stripped = strip(`${head}${code}${tail}`);
    return stripped.slice(head.length, stripped.length - tail.length);
  } catch {
    // Its mistake is said where the program is compiled, in the words of the language.
    return code;
  }
}

/** A colon, or a word of TypeScript. Most programs have a colon, and stripping takes a millisecond. */
function mayHaveTypes(code: string): boolean {
  return /:|\b(?:as|interface|satisfies|type)\b|</.test(code);
}
