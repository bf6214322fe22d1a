import type { AST } from '@eslint-community/regexpp';

/** The flags of patterns in JSON Schema. Ajv uses the same. */
export const SCHEMA_FLAGS = 'u';

/** @param source of a valid regular expression with these flags; check it with `isRegExp` */
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

/**
 * The lookarounds in a pattern, at any depth. A matcher tries each of them separately, wherever it meets
 * them.
 */
export function lookaroundsOf(alternatives: Alternatives): Alternatives[] {
  return assertionsIn(alternatives).map(({ alternatives: inner }) => inner);
}

/** Whether a part of it must equal the match of an earlier group. */
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
