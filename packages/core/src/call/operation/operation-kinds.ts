import type { OptionRule } from '../../base/options/option-schema.js';
import type { BoundOperation } from './operation.js';

type Kind = BoundOperation['kind'];

const kinds: readonly unknown[] = ['tool', 'prompt', 'resource', 'resourceTemplate'] satisfies Kind[];

/** The rule for the option `appliesTo`. */
export const someKinds: OptionRule = {
  expected: `a list of some of ${kinds.map((kind) => `'${String(kind)}'`).join(', ')}`,
  accepts: (value) => Array.isArray(value) && value.length > 0 && value.every((kind) => kinds.includes(kind)),
};

/** @throws {TypeError} if `appliesTo` is empty, or names an unknown kind of operation */
export function checkKinds(appliesTo: readonly Kind[] | undefined): void {
  if (appliesTo === undefined || someKinds.accepts(appliesTo)) return;
  throw new TypeError(`appliesTo: ${JSON.stringify(appliesTo)} must be ${someKinds.expected}.`);
}
