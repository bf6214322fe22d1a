import type { AST } from '@eslint-community/regexpp';
import { isAmbiguous } from './is-ambiguous.js';
import { PositionAutomaton } from './position-automaton.js';

/** Only what repeats without end, or often, can take long. */
const repeats = /[*+]|\{\d+,?\d*\}/;

/**
 * Why no caller's text should be matched against a pattern: JavaScript matches by trying, and where a repeated part
 * can match the same text in two ways, each character doubles the number of tries. 30 characters then block the
 * process for seconds, and the validator with it. Undefined when the pattern is fine.
 */
export function findPatternFault(pattern: string): string | undefined {
  if (!repeats.test(pattern))
    return isRegExp(pattern) ? undefined : 'is not a regular expression with the u flag';
  const parsed = parse(pattern);
  if (!parsed) return 'is not a regular expression with the u flag';
  return partsOf(parsed).some((alternatives) => isAmbiguous(new PositionAutomaton(alternatives)))
    ? 'can take exponential time: a repeated part of it matches the same text in more than one way'
    : undefined;
}

function isRegExp(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}

function parse(pattern: string): AST.Pattern | undefined {
  if (!isRegExp(pattern)) return undefined;
  // Loaded at first need: most schemas have no pattern.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const regexpp = require('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp');
  return new regexpp.RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
}

/** The pattern, and what it looks around for: matchers try that on its own. */
function partsOf({ alternatives }: AST.Pattern): (readonly AST.Alternative[])[] {
  const parts: (readonly AST.Alternative[])[] = [alternatives];
  const visit = (element: AST.Element): void => {
    if (element.type === 'Quantifier') return visit(element.element);
    if (!('alternatives' in element)) return;
    if (element.type === 'Assertion') parts.push(element.alternatives);
    for (const { elements } of element.alternatives) elements.forEach(visit);
  };
  for (const { elements } of alternatives) elements.forEach(visit);
  return parts;
}
