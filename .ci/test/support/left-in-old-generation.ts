import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const TURNS = 200_000;
/** So much besides that minor collections come. */
const NUMBERS = 60;

/**
 * How many bytes each turn of a synchronous loop leaves in the old generation of V8, on average. They stay there until the
 * next full collection.
 */
export function leftInOldGeneration(turn: (index: number) => unknown): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const kept: unknown[] = [];
  const run = () => {
    for (let index = 0; index < TURNS; index++)
      kept[index % 8] = [turn(index), new Array(NUMBERS).fill(index)];
  };
  run();
  // A full collection moves what is in use to the old generation.
  collect();
  const before = used();
  run();
  return (used() - before) / TURNS;
}

const used = () =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')!.space_used_size;
