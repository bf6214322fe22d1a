import type { AST } from '@eslint-community/regexpp';

/** What JSON Schema, and Ajv with it, compiles patterns with. */
export const SCHEMA_FLAGS = 'u';

/** @param source of a regular expression that is one with these flags: ask `isRegExp` */
export function parsePattern(source: string, flags: string): AST.Pattern {
  // Loaded at first need: most schemas have no pattern.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const regexpp = require('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp');
  return new regexpp.RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
}

export function isRegExp(source: string, flags: string): boolean {
  try {
    return Boolean(new RegExp(source, flags));
  } catch {
    return false;
  }
}

export type Alternatives = readonly AST.Alternative[];

/** What a pattern looks around for, however deep inside: matchers try that on its own, wherever they meet it. */
export function lookaroundsOf(alternatives: Alternatives): Alternatives[] {
  return assertionsIn(alternatives).map(({ alternatives: inner }) => inner);
}

/** Whether some part of it must equal what an earlier group has matched. */
export function hasBackreference(alternatives: Alternatives): boolean {
  return elementsIn(alternatives).some(({ type }) => type === 'Backreference');
}

function assertionsIn(alternatives: Alternatives): AST.LookaroundAssertion[] {
  return elementsIn(alternatives).filter(
    (element): element is AST.LookaroundAssertion =>
      element.type === 'Assertion' && 'alternatives' in element,
  );
}

function elementsIn(alternatives: Alternatives): AST.Element[] {
  const found: AST.Element[] = [];
  const visit = (element: AST.Element): void => {
    found.push(element);
    if (element.type === 'Quantifier') visit(element.element);
    if ('alternatives' in element) for (const { elements } of element.alternatives) elements.forEach(visit);
  };
  for (const { elements } of alternatives) elements.forEach(visit);
  return found;
}
