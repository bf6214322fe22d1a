import type { OptionRule } from '../../base/options/option-schema.js';
import type { BoundOperation } from './operation.js';

type Kind = BoundOperation['kind'];

const kinds: readonly unknown[] = ['tool', 'prompt', 'resource', 'resourceTemplate'] satisfies Kind[];

/** What the option `appliesTo` can be. */
export const someKinds: OptionRule = {
  expected: `a list of some of ${kinds.map((kind) => `'${String(kind)}'`).join(', ')}`,
  accepts: (value) => Array.isArray(value) && value.length > 0 && value.every((kind) => kinds.includes(kind)),
};

/** @throws {TypeError} when `appliesTo` names a kind of operations that there is not, or none at all */
export function checkKinds(appliesTo: readonly Kind[] | undefined): void {
  if (appliesTo === undefined || someKinds.accepts(appliesTo)) return;
  throw new TypeError(`appliesTo: ${JSON.stringify(appliesTo)} must be ${someKinds.expected}.`);
}
