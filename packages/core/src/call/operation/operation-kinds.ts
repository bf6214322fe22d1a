import type { OptionRule } from '../../base/options/option-schema.js';
import { kindNames, type OperationKind } from '../../base/operation-kinds.js';

/** The rule for the option `appliesTo`. */
export const someKinds: OptionRule = {
  expected: `a list of some of ${kindNames.map((kind) => `'${kind}'`).join(', ')}`,
  accepts: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((kind) => kindNames.includes(kind as OperationKind)),
};

/** @throws {TypeError} if `appliesTo` is empty, or names an unknown kind of operation */
export function checkKinds(appliesTo: readonly OperationKind[] | undefined): void {
  if (appliesTo === undefined || someKinds.accepts(appliesTo)) return;
  throw new TypeError(`appliesTo: ${JSON.stringify(appliesTo)} must be ${someKinds.expected}.`);
}
