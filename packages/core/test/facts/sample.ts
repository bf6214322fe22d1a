import { ask, type Case, isPossible, titleOf } from './ask.js';
import { facts } from './facts.js';
import { members } from './members.js';
import { reuses } from './reuses.js';

/** Each fact at each kind of member, through each way to use the member again, as an argument and as a result. */
export const all: readonly Case[] = facts
  .flatMap((fact) => members.map((member) => ({ fact, member })))
  .flatMap((each) => reuses.map((reuse) => ({ ...each, reuse })))
  .flatMap((each) => (['input', 'output'] as const).map((side) => ({ ...each, side })))
  .filter(isPossible);

/** A step that is prime, so that a sample has some of everything. */
const STEP = 104_729;

/** What became of a sample: the faults by name, and how many hold or are named. */
export async function askSome(count: number, from = 0) {
  const chosen = Array.from({ length: count }, (_, at) => all[((from + at) * STEP) % all.length]!);
  const fates = [...(await ask(chosen))];
  const having = (fate: string) => fates.filter(([, each]) => each === fate).length;
  return {
    held: having('holds'),
    named: having('named'),
    faults: fates
      .filter(([, fate]) => fate !== 'holds' && fate !== 'named')
      .map(([each, fate]) => `${titleOf(each)}: ${fate}`),
  };
}
