import type { Contestant } from '../contestants/catalogue.js';
import type { Entrant, Run, Workload } from '../workloads/workload.js';
import { ratioOf, type Block } from './verdict.js';

/** Each starts both servers anew: a process that is unlucky with its memory is so for as long as it lives. */
export const BLOCKS = 12;

/** What both trees are asked, and who answers. */
export interface Question {
  workload: Workload;
  contestant: Contestant;
}

/** The two trees: how each is run. */
export interface Pair {
  base: Run;
  head: Run;
}

type Side = keyof Pair;

/** Pairs of turns in a block, A B B A A B B A: what drifts meets both sides alike. */
export const PAIRS = 4;

/** CPU per call of both trees, block by block. The sides take turns in who starts. */
export async function compare(question: Question, pair: Pair, blocks = BLOCKS): Promise<Block[]> {
  const measured: Block[] = [];
  for (let index = 0; index < blocks; index++) {
    const [first, second]: Side[] = index % 2 === 0 ? ['base', 'head'] : ['head', 'base'];
    const block = await measureBlock(question, pair, [first!, second!]);
    measured.push(block);
    const percents = block.head.map((cpu, turn) => percent(cpu / block.base[turn]!)).join(' ');
    pair.head.log(`  block ${index + 1}: ${percent(ratioOf(block))} (turns: ${percents})`);
  }
  return measured;
}

async function measureBlock(
  { workload, contestant }: Question,
  pair: Pair,
  [first, second]: [Side, Side],
): Promise<Block> {
  const entrants: Partial<Record<Side, Entrant>> = {};
  try {
    for (const side of [first, second]) {
      entrants[side] = await workload.enter(contestant, workload.dialectOf(contestant)!, pair[side]);
    }
    const sample = async (side: Side) => (await entrants[side]!.sample()).cpu!;
    for (let round = 0; round < pair.head.warmUps; round++) {
      await sample(first);
      await sample(second);
    }
    const block: Block = { base: [], head: [] };
    for (let turn = 0; turn < PAIRS; turn++) {
      const order = turn % 2 === 0 ? [first, second] : [second, first];
      for (const side of order) block[side].push(await sample(side));
    }
    return block;
  } finally {
    await Promise.all(Object.values(entrants).map((entrant) => entrant.stop()));
  }
}

/** What a ratio adds, with its sign: `+7.1 %`. */
export function percent(ratio: number): string {
  const more = (ratio - 1) * 100;
  return `${more < 0 ? '' : '+'}${more.toFixed(1)} %`;
}
