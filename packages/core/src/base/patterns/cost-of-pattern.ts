import { growthOfPattern } from './growth-of-pattern.js';
import { isAmbiguous } from './is-ambiguous.js';
import { isRegExp, lookaroundsOf, parsePattern, SCHEMA_FLAGS, type Alternatives } from './parse-pattern.js';
import { PositionAutomaton, TooLargeError } from './position-automaton.js';
import { waysOfMatch } from './ways-of-match.js';

/** How long a matcher can take with a text of length n: `ways` times n to the power of `growth`. */
export interface PatternCost {
  readonly growth: number;
  readonly ways: number;
}

/** Why a pattern has no cost that anybody could pay. */
export type CostFault = 'invalid' | 'exponential' | 'ways' | 'size';

/** More ways than these take milliseconds for a few characters, and a call can bring thousands of such texts. */
const MAX_WAYS = 10_000;

/** Only what repeats, or is left out, or has alternatives can take long. */
const branches = /[*+?{|]|\\[1-9k]/;

const free: PatternCost = { growth: 1, ways: 1 };

/**
 * What a text that somebody else wrote can cost a pattern: JavaScript matches by trying.
 *
 * @param flags of the regular expression; that of JSON Schema's patterns unless told
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

/** A pattern is looked at when a server starts, when it is compiled, and with every form that has it. */
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
