type Factory = (...dependencies: never[]) => unknown;

/**
 * Says how the parameters of a factory differ from the number of dependencies that its provider lists;
 * undefined if they match. If one of the two lists is wrong, a factory gets `undefined` values.
 */
export function findFactoryFault(factory: Factory, injected: number): string | undefined {
  const declared = factory.length;
  const isFit = declared === injected || (declared < injected && takesMore(factory));
  if (isFit) return undefined;
  return `has ${count(declared, 'parameter')}, and inject lists ${injected === 0 ? 'nothing' : count(injected, 'dependency')}`;
}

/**
 * `length` ends at the first default and does not count a rest parameter. Only the source shows whether there
 * is one. If the source is hidden (bound functions), or the function may read `arguments`, further values are
 * accepted.
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

/** The text between a parenthesis and its counterpart. */
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
