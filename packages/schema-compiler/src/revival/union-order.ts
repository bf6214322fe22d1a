import type { Revival } from '@toolwright/manifest';

/** The more specific form is tried first: a date is also a string, and a bigint is also a number. */
const ORDER = [
  'date',
  'url',
  'bytes',
  'set',
  'map',
  'array',
  'tuple',
  'object',
  'ref',
  'union',
  undefined,
  'bigint',
];

/** The position of a union member among the alternatives. */
export function unionOrder(revival: Revival | undefined): number {
  return ORDER.indexOf(revival?.kind);
}
