import { growthOfPattern } from './growth-of-pattern.js';
import { isAmbiguous } from './is-ambiguous.js';
import { isRegExp, lookaroundsOf, parsePattern, SCHEMA_FLAGS, type Alternatives } from './parse-pattern.js';
import { PositionAutomaton, TooLargeError } from './position-automaton.js';
import { waysOfMatch } from './ways-of-match.js';

/** The maximum time of a match with a text of length n: `ways` times n to the power of `growth`. */
export interface PatternCost {
  readonly growth: number;
  readonly ways: number;
}

/** Why a pattern is too expensive. */
export type CostFault = 'invalid' | 'exponential' | 'ways' | 'size';

/**
 * More ways than this take milliseconds for a few characters, and a call can contain thousands of such texts.
 */
const MAX_WAYS = 10_000;

/** Only repetitions, optional parts and alternatives can take long. */
const branches = /[*+?{|]|\\[1-9k]/;

const free: PatternCost = { growth: 1, ways: 1 };

/**
 * The maximum cost of matching a pattern with a text of somebody else, because JavaScript matches by
 * backtracking.
 *
 * @param flags of the regular expression; default: those of patterns in JSON Schema
 */
export function costOfPattern(source: string, flags: string = SCHEMA_FLAGS): PatternCost | CostFault {
  const key = `${flags}/${source}`;
  let cost = known.get(key);
  if (cost === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, (cost = look(source, flags)));
  }
  return cost;
}

/**
 * The same pattern is analysed when a server starts, when it is compiled, and for each form that contains it.
 * So results are kept.
 */
const known = new Map<string, PatternCost | CostFault>();
const MAX_KNOWN = 1_000;

function look(source: string, flags: string): PatternCost | CostFault {
  if (!isRegExp(source, flags)) return 'invalid';
  if (!branches.test(source)) return free;
  try {
    return costOf(parsePattern(source, flags).alternatives, flags);
  } catch (error) {
    if (error instanceof TooLargeError) return 'size';
    throw error;
  }
}

function costOf(alternatives: Alternatives, flags: string): PatternCost | CostFault {
  const automata = [alternatives, ...lookaroundsOf(alternatives)].map(
    (each) => new PositionAutomaton(each, { flags }),
  );
  if (automata.some(isAmbiguous)) return 'exponential';
  const ways = automata.map(waysOfMatch).reduce((all, each) => all * each, 1);
  return ways > MAX_WAYS ? 'ways' : { growth: growthOfPattern(alternatives, flags), ways };
}
