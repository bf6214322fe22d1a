import { costOfPattern, type CostFault } from './cost-of-pattern.js';
import { SCHEMA_FLAGS } from './parse-pattern.js';

const reasons: Readonly<Record<Exclude<CostFault, 'invalid'>, string>> = {
  exponential: 'can take exponential time: a repeated part of it matches the same text in more than one way',
  ways: 'can take exponential time: parts of it that may be left out match the same text in thousands of ways',
  size: 'is too large to tell how long it can take',
};

/**
 * Says why a pattern must not be used with a caller's text; undefined if it is safe. JavaScript matches by
 * backtracking. If a repeated part can match the same text in two ways, each character doubles the number of
 * tries. 30 characters then block the process for seconds.
 */
export function findPatternFault(source: string, flags: string = SCHEMA_FLAGS): string | undefined {
  const cost = costOfPattern(source, flags);
  if (typeof cost === 'object') return undefined;
  if (cost !== 'invalid') return reasons[cost];
  return flags === '' ? 'is not a regular expression' : `is not a regular expression with the ${flags} flag`;
}
