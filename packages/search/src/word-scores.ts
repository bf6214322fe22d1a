import { getOrMake } from '@toolwright/json';
import { actionOf } from './actions.js';
import type { QueryTerm } from './query.js';
import type { VisibleTools } from './visible-tools.js';
import { WEIGHTS } from './weights.js';

/** The tools that have a word, and how much it says about each of them. */
export interface Postings {
  readonly documents: number[];
  readonly impacts: number[];
}

/** A word of tools that a word of a query may mean. */
export interface Meant {
  readonly word: string;
  readonly postings: Postings;
  readonly weight: number;
  /** How much it says, among the tools that the caller may find. */
  readonly rarity: number;
}

/** A word of a query, with all that it may mean. */
export interface UnderstoodTerm {
  readonly term: QueryTerm;
  readonly meant: readonly Meant[];
}

/** A tool by its position, and how well it fits. */
export interface Ranked {
  readonly position: number;
  readonly score: number;
}

/**
 * How well each tool fits by its words alone.
 *
 * @param coverage how much it counts that a tool has all words of the query
 * @returns by the position of the tool; 0 where it has no word of the query
 */
export function scoreWords(
  terms: readonly UnderstoodTerm[],
  tools: number,
  coverage: number,
): { readonly scores: Float64Array; coverageOf(position: number): number } {
  const scores = new Float64Array(tools);
  const covered = new Float64Array(tools);
  const best = new Float64Array(tools);
  const touched = new Int32Array(tools);
  let wanted = 0;
  for (const { term, meant } of terms) {
    let count = 0;
    let rarity = 0;
    const most = mostRarity(term, meant);
    for (const { word, postings, weight, rarity: whole } of meant) {
      const rare = Math.min(whole, most(word));
      rarity = Math.max(rarity, term.share * rare * (weight === 1 ? 1 : 0.8));
      const { documents, impacts } = postings;
      const factor = term.share * weight * rare;
      for (let at = 0; at < documents.length; at++) {
        const position = documents[at]!;
        const value = factor * impacts[at]!;
        if (value <= best[position]!) continue;
        if (best[position] === 0) touched[count++] = position;
        best[position] = value;
      }
    }
    wanted += rarity;
    for (let at = 0; at < count; at++) {
      const position = touched[at]!;
      scores[position]! += best[position]!;
      covered[position]! += Math.min(rarity, best[position]! * 2);
      best[position] = 0;
    }
  }
  const powers = powersOf(coverage);
  for (let position = 0; position < tools; position++)
    if (scores[position]! > 0)
      scores[position]! *= powers[Math.round((covered[position]! / wanted) * POWERS)]!;
  return { scores, coverageOf: (position) => covered[position]! / wanted };
}

/** In how many steps the covered part of a query is counted. A power for each tool would take half of the time. */
const POWERS = 1_000;

const knownPowers = new Map<number, Float64Array>();

function powersOf(exponent: number): Float64Array {
  return getOrMake(knownPowers, exponent, () =>
    Float64Array.from({ length: POWERS + 1 }, (_, at) => (at / POWERS) ** exponent),
  );
}

/** How much the rarity of a word counts at most. */
function mostRarity({ stem, senses }: QueryTerm, [first]: readonly Meant[]): (word: string) => number {
  const ofVerb = actionOf(stem) === undefined ? Infinity : WEIGHTS.verb;
  if (senses)
    return (word) =>
      word === stem
        ? Math.min(ofVerb, WEIGHTS.spokenRarity)
        : Math.min(ofVerb, actionOf(word) === undefined ? WEIGHTS.everydayRarity : WEIGHTS.verb);
  // A synonym says no more than the word itself would: rare ones would win over the word that was said.
  const most = first?.weight === 1 ? Math.min(ofVerb, first.rarity) : ofVerb;
  return () => most;
}

/** In how many steps scores are sorted roughly. */
const STEPS = 256;

/** At least the best tools of a number, and not many more, in the order of their positions. A query has thousands of tools. */
export function bestOf(scores: Float64Array, count: number, visible: VisibleTools): Ranked[] {
  const found: Ranked[] = [];
  const allowed = new Int32Array(scores.length);
  let size = 0;
  let highest = 0;
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position]!;
    if (score === 0 || !visible.has(position)) continue;
    allowed[size++] = position;
    if (score > highest) highest = score;
  }
  const stepOf = (score: number) => Math.floor((score / highest) * (STEPS - 1));
  const steps = new Int32Array(STEPS);
  for (let at = 0; at < size; at++) steps[stepOf(scores[allowed[at]!]!)]!++;
  let least = STEPS;
  for (let sum = 0; least > 0 && sum < count;) sum += steps[--least]!;
  for (let at = 0; at < size; at++) {
    const position = allowed[at]!;
    const score = scores[position]!;
    if (stepOf(score) >= least) found.push({ position, score });
  }
  return found;
}
