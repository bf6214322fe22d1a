import { summarizeRatio } from '../report/statistics.js';
import { signedRankChance, typicalDifference } from './signed-rank.js';

/** CPU per call of two processes that took turns: the values of one index were measured within seconds. */
export interface Block {
  base: number[];
  head: number[];
}

export interface Verdict {
  /** How much more CPU a call takes than on the base: 0.07 is 7 % more. */
  slowdown: number;
  /** How likely equal programs look at least as different as these. */
  chance: number;
  failed: boolean;
}

/** A loss that is smaller passes: one can live with it, and no machine of a check can tell 1 % from its own noise. */
export const TOLERATED = 0.05;

/** Beyond it, a difference counts as noise, however large it looks. */
export const SIGNIFICANT = 0.01;

/** How many times the CPU of the base a call took in a block; one disturbed turn does not move it. */
export const ratioOf = ({ base, head }: Block): number => summarizeRatio(head, base).median;

/**
 * Fails a slowdown that is larger than what is tolerated and that noise does not explain. A block counts once, however
 * many turns it has: what a process is luckier or less lucky with, all its turns share.
 */
export function judge(blocks: readonly Block[]): Verdict {
  const differences = blocks.map((block) => Math.log(ratioOf(block)));
  const slowdown = Math.exp(typicalDifference(differences)) - 1;
  const chance = signedRankChance(differences);
  return { slowdown, chance, failed: slowdown > TOLERATED && chance < SIGNIFICANT };
}
