import type { AST } from '@eslint-community/regexpp';
import { growthOf } from './growth.js';
import { lookaroundsOf, parsePattern } from './parse-pattern.js';
import { PositionAutomaton } from './position-automaton.js';

/**
 * How the time to match a text grows with its length n, as the exponent of n: 1 for `^a+$`, 2 for `a+$`, which tries
 * anew at every character. For patterns that `findPatternFault` lets pass; too high rather than too low.
 */
export function growthOfPattern(pattern: string): number {
  if (!/[*+{]/.test(pattern)) return 1;
  const parsed = parsePattern(pattern);
  if (!parsed) return 1;
  const { alternatives } = parsed;
  const isAnchored = alternatives.every(({ elements: [first] }) => isStart(first));
  const own = growthOf(new PositionAutomaton(alternatives, { anywhere: !isAnchored }));
  const looked = lookaroundsOf(alternatives).map((each) => growthOf(new PositionAutomaton(each)));
  // What is looked for at the very start is looked for once, else perhaps at each of the tries.
  const around =
    isAnchored && looksAtStart(alternatives) ? Math.max(0, ...looked) : sum(looked) && own + sum(looked);
  // To compare with an earlier group takes as long as that is.
  return Math.max(own, around) + (/\\(?:\d|k<)/.test(pattern) ? 1 : 0);
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start';
}

/** `^(?=…)(?!…)` and then none any more. */
function looksAtStart(alternatives: readonly AST.Alternative[]): boolean {
  return alternatives.every(({ elements }) => {
    const consuming = elements.findIndex(({ type }) => type !== 'Assertion');
    const rest = consuming < 0 ? [] : elements.slice(consuming);
    return lookaroundsOf([{ elements: rest } as unknown as AST.Alternative]).length === 0;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
