type Factory = (...dependencies: never[]) => unknown;

/**
 * What is wrong between the parameters of a factory and the number of dependencies that its provider lists; undefined
 * when they fit. One list without the other is how a factory comes to work with `undefined`.
 */
export function findFactoryFault(factory: Factory, injected: number): string | undefined {
  const declared = factory.length;
  const isFit = declared === injected || (declared < injected && takesMore(factory));
  if (isFit) return undefined;
  return `has ${count(declared, 'parameter')}, and inject lists ${injected === 0 ? 'nothing' : count(injected, 'dependency')}`;
}

/**
 * `length` stops at the first default and leaves out a rest parameter. Whether there is one, only the source tells;
 * where that is hidden (bound functions), or `arguments` may be read, more is assumed to be welcome.
 */
function takesMore(factory: Factory): boolean {
  const source = Function.prototype.toString.call(factory);
  if (source.includes('[native code]') || /\barguments\b/.test(source)) return true;
  const arrow = source.indexOf('=>');
  const open = source.indexOf('(');
  // `dependency => …` has exactly one parameter.
  if (open < 0 || (arrow >= 0 && arrow < open)) return false;
  return /\.\.\.|=(?!>)/.test(parameterList(source, open));
}

/** The text between a parenthesis and its partner. */
function parameterList(source: string, open: number): string {
  let depth = 0;
  for (let index = open; index < source.length; index++) {
    if (source[index] === '(') depth++;
    else if (source[index] === ')' && --depth === 0) return source.slice(open + 1, index);
  }
  return source.slice(open + 1);
}

function count(number: number, word: string): string {
  const plural = word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
  return `${number} ${number === 1 ? word : plural}`;
}
