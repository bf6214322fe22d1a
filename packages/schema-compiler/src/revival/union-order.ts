import type { Revival } from '@toolwright/manifest';

/** The more telling schema first: a date is also a string, a bigint also a number. */
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

/** Place of a union's member among the options. */
export function unionOrder(revival: Revival | undefined): number {
  return ORDER.indexOf(revival?.kind);
}
