/** How much of a specification a model reads: `usual`, less for many tools, or more for few. */
export type Detail = 'less' | 'usual' | 'more';

/** What a level of detail means, in characters, bytes and members. */
export interface DetailLimits {
  /** The longest description of an operation, of an argument, and of an optional one that many operations share. */
  readonly operation: number;
  readonly argument: number;
  readonly sharedArgument: number;
  /** A nested part of an argument that is longer, in bytes of JSON, becomes an open object. */
  readonly part: number;
  /** How many values and parts a result has, and how many values each of its parts. */
  readonly result: { readonly scalars: number; readonly parts: number };
  readonly partOfResult: { readonly scalars: number; readonly parts: number };
}

export const detailLimits: Readonly<Record<Detail, DetailLimits>> = {
  less: {
    operation: 160,
    argument: 60,
    sharedArgument: 30,
    part: 400,
    result: { scalars: 6, parts: 1 },
    partOfResult: { scalars: 3, parts: 0 },
  },
  usual: {
    operation: 240,
    argument: 120,
    sharedArgument: 50,
    part: 1_000,
    result: { scalars: 10, parts: 2 },
    partOfResult: { scalars: 4, parts: 0 },
  },
  more: {
    operation: 480,
    argument: 240,
    sharedArgument: 240,
    part: 4_000,
    result: { scalars: 30, parts: 8 },
    partOfResult: { scalars: 10, parts: 0 },
  },
};
