import { oncePerSchema } from '../schema/once.js';
import { partsOf, visitKeywords } from '../schema/keywords.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { cutText } from '../text/cut-text.js';
import { growthOfPattern } from './growth-of-pattern.js';
import { isAmbiguous, waysOfMatch } from './loops-of.js';
import { type Alternatives, SCHEMA_FLAGS, isRegExp, lookaroundsOf, parsePattern } from './parse-pattern.js';
import { PositionAutomaton } from './position-automaton.js';
import { AnalysisWork, TooLargeError } from './work.js';

/** The maximum time of a match with a text of length n: `ways` times n to the power of `growth`. */
export interface PatternCost {
  readonly growth: number;
  readonly ways: number;
}

/** Why a pattern is too expensive. */
export type CostProblem = 'invalid' | 'exponential' | 'ways' | 'size';

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
export function costOfPattern(source: string, flags: string = SCHEMA_FLAGS): PatternCost | CostProblem {
  const key = `${flags}/${source}`;
  let cost = known.get(key);
  if (cost === undefined) {
    cost = look(source, flags);
    if (source.length > LONG) return cost;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, cost);
  }
  return cost;
}

/**
 * The same pattern is analysed when a server starts, when it is compiled, and for each form that contains it.
 * So results are kept.
 */
const known = new Map<string, PatternCost | CostProblem>();
const MAX_KNOWN = 1_000;
/** Longer ones are not kept: a stranger may have written them. */
const LONG = 4_000;

function look(source: string, flags: string): PatternCost | CostProblem {
  if (!isRegExp(source, flags)) return 'invalid';
  if (!branches.test(source)) return free;
  try {
    return costOf(parsePattern(source, flags).alternatives, flags);
  } catch (error) {
    // One that is nested without an end has no room on the stack.
    if (error instanceof TooLargeError || error instanceof RangeError) return 'size';
    throw error;
  }
}

function costOf(alternatives: Alternatives, flags: string): PatternCost | CostProblem {
  const work = new AnalysisWork();
  const automata = [alternatives, ...lookaroundsOf(alternatives)].map(
    (each) => new PositionAutomaton(each, { flags, work }),
  );
  if (automata.some(isAmbiguous)) return 'exponential';
  const ways = automata.map(waysOfMatch).reduce((all, each) => all * each, 1);
  return ways > MAX_WAYS ? 'ways' : { growth: growthOfPattern(alternatives, flags, work), ways };
}

const reasons: Readonly<Record<Exclude<CostProblem, 'invalid'>, string>> = {
  exponential: 'can take exponential time: a repeated part of it matches the same text in more than one way',
  ways: 'can take exponential time: parts of it that may be left out match the same text in thousands of ways',
  size: 'is too large to tell how long it can take',
};

/**
 * Says why a pattern must not be used with a caller's text; undefined if it is safe. JavaScript matches by
 * backtracking. If a repeated part can match the same text in two ways, each character doubles the number of
 * tries. 30 characters then block the process for seconds.
 */
export function findPatternProblem(source: string, flags: string = SCHEMA_FLAGS): string | undefined {
  const cost = costOfPattern(source, flags);
  if (typeof cost === 'object') return undefined;
  if (cost !== 'invalid') return reasons[cost];
  return flags === '' ? 'is not a regular expression' : `is not a regular expression with the ${flags} flag`;
}

/** What to write instead of a pattern that can take too long. */
export const PATTERN_FIX =
  'Write it so that each repeated part begins with a character of its own, such as ^[a-z]+(-[a-z]+)*$.';

/** The patterns of a schema that are too slow or unsafe to match, each with the reason. */
export const findPatternProblems = oncePerSchema((schema): readonly string[] => [
  ...new Set(partsOf(schema).flatMap(problemsOfPart)),
]);

/** All patterns in a schema, each once. */
function patternsIn(schema: JsonSchema): ReadonlySet<string> {
  const patterns = new Set<string>();
  visitKeywords(schema, (keyword, value) => {
    if (keyword === 'pattern' && typeof value === 'string') patterns.add(value);
    if (keyword === 'patternProperties' && typeof value === 'object' && value !== null)
      Object.keys(value).forEach((name) => patterns.add(name));
  });
  return patterns;
}

/**
 * How long the patterns of a schema are, before anything looks at them. To compile one takes ten microseconds for each letter,
 * and a property of Unicode as long as many letters: it has hundreds of ranges.
 */
export function weightOfPatterns(schema: JsonSchema): number {
  let weight = 0;
  for (const pattern of patternsIn(schema))
    weight += pattern.length + PROPERTY * countOf('\\p', pattern.toLowerCase());
  return weight;
}

const PROPERTY = 40;

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/** Checks a definition only once, however many tools share it. */
const problemsOfPart = oncePerSchema((schema): readonly string[] => {
  return [...patternsIn(schema)].flatMap((pattern) => {
    const problem = findPatternProblem(pattern);
    return problem ? [`the pattern ${JSON.stringify(cutText(pattern, 200))} ${problem}`] : [];
  });
});

/** A regular expression from a decorator. It may have any flags, unlike those of JSON Schema. */
export interface FlaggedPattern {
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions that are too slow or unsafe to match, each with the reason. */
export function findFlaggedProblems(patterns: readonly FlaggedPattern[]): string[] {
  return patterns.flatMap(({ source, flags }) => {
    const problem = findPatternProblem(source, flags);
    return problem ? [`the pattern /${cutText(source, 200)}/${flags} ${problem}`] : [];
  });
}
