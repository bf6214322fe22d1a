import type { Definition } from '../generator/tjs-adapter.js';

/**
 * Keywords that are both said about one value. Of two limits, the narrower one is enough. For others, the first one wins.
 */
export function bothHold(one: Definition, other: Definition): Definition {
  const keywords: Definition = { ...other, ...one };
  for (const [name, choose] of Object.entries(NARROWER)) {
    const [a, b] = [one[name], other[name]];
    if (typeof a === 'number' && typeof b === 'number') keywords[name] = choose(a, b);
  }
  const more = TOGETHER.filter(
    (name) => one[name] !== undefined && other[name] !== undefined && one[name] !== other[name],
  );
  const all = [
    ...conditionsOf(one),
    ...conditionsOf(other),
    ...more.map((name) => ({ [name]: other[name] })),
  ];
  if (all.length > 0) keywords.allOf = all;
  return keywords;
}

/** Two of these are two conditions. */
const TOGETHER = ['pattern', 'multipleOf'];

function conditionsOf({ allOf = [] }: Definition): unknown[] {
  return allOf as unknown[];
}

const NARROWER: Readonly<Record<string, (a: number, b: number) => number>> = {
  ...Object.fromEntries(
    'minimum exclusiveMinimum minLength minItems minProperties'.split(' ').map((name) => [name, Math.max]),
  ),
  ...Object.fromEntries(
    'maximum exclusiveMaximum maxLength maxItems maxProperties'.split(' ').map((name) => [name, Math.min]),
  ),
};
