import { isAmbiguous } from './is-ambiguous.js';
import { isRegExp, lookaroundsOf, parsePattern } from './parse-pattern.js';
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
  const parsed = parsePattern(pattern);
  if (!parsed) return 'is not a regular expression with the u flag';
  const parts = [parsed.alternatives, ...lookaroundsOf(parsed.alternatives)];
  return parts.some((alternatives) => isAmbiguous(new PositionAutomaton(alternatives)))
    ? 'can take exponential time: a repeated part of it matches the same text in more than one way'
    : undefined;
}
