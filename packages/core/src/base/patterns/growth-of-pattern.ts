import type { AST } from '@eslint-community/regexpp';
import { growthOf } from './growth.js';
import { loopsOf } from './loops-of.js';
import { hasBackreference, lookaroundsOf, type Alternatives } from './parse-pattern.js';
import { PositionAutomaton } from './position-automaton.js';

/**
 * How the time to match a text grows with its length n, as the exponent of n: 1 for `^a+$`, 2 for `a+$`, which tries
 * anew at every character. For patterns without exponential parts; too high rather than too low.
 *
 * @param flags of the pattern
 * @throws {TooLargeError}
 */
export function growthOfPattern(alternatives: Alternatives, flags: string): number {
  // With the flag m, `^` is at every line.
  const isAnchored = !flags.includes('m') && alternatives.every(({ elements: [first] }) => isStart(first));
  const own = growthOf(new PositionAutomaton(alternatives, { flags, anywhere: !isAnchored }));
  const looked = lookaroundsOf(alternatives).map((each) => growthAround(each, flags));
  // What is looked for at the very start is looked for once, else perhaps at each of the tries.
  const around =
    isAnchored && looksAtStart(alternatives) ? Math.max(0, ...looked) : sum(looked) && own + sum(looked);
  // To compare with an earlier group takes as long as that is.
  return Math.max(own, around) + (hasBackreference(alternatives) ? 1 : 0);
}

/** What is looked around for, and is of a limited length, takes no longer for a longer text. */
function growthAround(alternatives: Alternatives, flags: string): number {
  const automaton = new PositionAutomaton(alternatives, { flags });
  return loopsOf(automaton.edges).length > 0 ? growthOf(automaton) : 0;
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start';
}

/** `^(?=…)(?!…)` and then none any more. */
function looksAtStart(alternatives: Alternatives): boolean {
  return alternatives.every(({ elements }) => {
    const consuming = elements.findIndex(({ type }) => type !== 'Assertion');
    const rest = consuming < 0 ? [] : elements.slice(consuming);
    return lookaroundsOf([{ elements: rest } as unknown as AST.Alternative]).length === 0;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
