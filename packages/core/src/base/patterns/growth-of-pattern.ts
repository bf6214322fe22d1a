import type { AST } from '@eslint-community/regexpp';
import { growthOf } from './growth.js';
import { loopsOf } from './loops-of.js';
import { hasBackreference, lookaroundsOf, type Alternatives } from './parse-pattern.js';
import { PositionAutomaton } from './position-automaton.js';

/**
 * The exponent by which the time of a match grows with the length n of the text. It is 1 for `^a+$`, and 2
 * for `a+$`, which tries again at every character. The pattern must not have exponential parts. The result
 * may be too high, but never too low.
 *
 * @param flags of the pattern
 * @throws {TooLargeError}
 */
export function growthOfPattern(alternatives: Alternatives, flags: string): number {
  // With the flag m, `^` matches at every line.
  const isAnchored = !flags.includes('m') && alternatives.every(({ elements: [first] }) => isStart(first));
  const own = growthOf(new PositionAutomaton(alternatives, { flags, anywhere: !isAnchored }));
  const looked = lookaroundsOf(alternatives).map((each) => growthAround(each, flags));
  // A lookaround at the very start is tried once. Any other may be tried at each character.
  const around =
    isAnchored && looksAtStart(alternatives) ? Math.max(0, ...looked) : sum(looked) && own + sum(looked);
  // Comparing with an earlier group takes as long as the text of that group.
  return Math.max(own, around) + (hasBackreference(alternatives) ? 1 : 0);
}

/** A lookaround of limited length takes no longer for a longer text. */
function growthAround(alternatives: Alternatives, flags: string): number {
  const automaton = new PositionAutomaton(alternatives, { flags });
  return loopsOf(automaton.edges).length > 0 ? growthOf(automaton) : 0;
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start';
}

/** `^(?=…)(?!…)` without further lookarounds. */
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
