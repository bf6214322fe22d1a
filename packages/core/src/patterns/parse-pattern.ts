import type { AST } from '@eslint-community/regexpp';

/** Undefined when it is not a regular expression with the u flag, as JSON Schema wants them. */
export function parsePattern(pattern: string): AST.Pattern | undefined {
  if (!isRegExp(pattern)) return undefined;
  // Loaded at first need: most schemas have no pattern.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const regexpp = require('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp');
  return new regexpp.RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
}

export function isRegExp(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}

type Alternatives = readonly AST.Alternative[];

/** What a pattern looks around for, however deep inside: matchers try that on its own, wherever they meet it. */
export function lookaroundsOf(alternatives: Alternatives): Alternatives[] {
  const found: Alternatives[] = [];
  const visit = (element: AST.Element): void => {
    if (element.type === 'Quantifier') return visit(element.element);
    if (!('alternatives' in element)) return;
    if (element.type === 'Assertion') found.push(element.alternatives);
    for (const { elements } of element.alternatives) elements.forEach(visit);
  };
  for (const { elements } of alternatives) elements.forEach(visit);
  return found;
}
