import type { Cell } from './cells.js';

/** Cells that fail for one reason. */
export interface Broken {
  /** The names of judges. They end with `…` where all that begin so are meant. */
  readonly judges: readonly string[];
  /** The same for ways. */
  readonly ways: readonly string[];
  readonly era?: Cell['era'];
  /** Judges that these ways satisfy all the same, because they refuse what is wrong. */
  readonly except?: readonly string[];
  /** A part of what does not hold. */
  readonly fails: string;
}

/** What does not hold so far. A cell that holds must be taken out. */
export const broken: readonly Broken[] = [
  // A call as a task through call_tool, of a tool that is hidden, is refused before a guard sees it.
  {
    judges: ['security events'],
    ways: ['a task by call_tool'],
    era: '2025-11-25',
    fails: 'nobody is told',
  },
];

/** Pairs of features of which the first does not hold beside the second. A pair that holds must be taken out. */
export const brokenPairs: readonly { judged: string; beside: string; era: Cell['era'] }[] = [];

const isNamed = (names: readonly string[], name: string) =>
  names.some((each) => (each.endsWith('…') ? name.startsWith(each.slice(0, -1)) : each === name));

/** Why a cell is known to fail. */
export function brokenBy({ judge, way, era }: Cell): Broken | undefined {
  return broken.find(
    (known) =>
      isNamed(known.judges, judge.name) &&
      !isNamed(known.except ?? [], judge.name) &&
      isNamed(known.ways, way.name) &&
      (known.era === undefined || known.era === era),
  );
}
