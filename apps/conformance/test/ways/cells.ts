import { judges } from './judges/index.js';
import { ways } from './ways/index.js';
import type { Era } from './wire.js';
import { reasonAgainst } from './table.js';
import { type Judge, type Way, World } from './world.js';

/** One field of the table: this judge on this way, in this era. */
export interface Cell {
  readonly judge: Judge;
  readonly way: Way;
  readonly era: Era;
}

/** All cells. A way that an era does not have makes none. */
export const cells: readonly Cell[] = judges.flatMap((judge) =>
  ways.flatMap((way) => way.eras.map((era) => ({ judge, way, era }))),
);

/** The cells that mean something. */
export const tried: readonly Cell[] = cells.filter(
  ({ way, judge }) => reasonAgainst(way, judge) === undefined,
);

/** Tries one cell. @returns what does not hold; `undefined` when all of it does */
export async function failureOf({ judge, way, era }: Cell): Promise<string | undefined> {
  const world = new World(way, judge, era);
  try {
    await world.open();
    await judge.check(world);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await world.close();
  }
}
