import { dirname, join } from 'node:path';

/** Where the values of a call are collected that still have to be checked. */
export interface PendingChecks {
  readonly unchecked: { instance: object; pointer: string }[];
}

type Validator = (value: unknown) => readonly unknown[] | undefined;
type Reviver = (value: unknown, pending: PendingChecks, pointer: string) => unknown;

interface Internals {
  validatorFor(schema: object, maker: 'caller'): Validator;
  compileRevival(revival: object, options: object): Reviver;
  validateInstances(pending: PendingChecks): Promise<unknown[]>;
  PendingChecks: new () => PendingChecks;
}

/** The parts under measurement. They are not public, and `json` is not published, so they are loaded by path. */
export function loadInternals(): Internals {
  const packages = join(dirname(require.resolve('@toolwright/core')), '../..');
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- by path, which an import cannot be given
  const load = (file: string) => require(join(packages, file)) as Internals;
  return {
    ...load('json/dist/validation/validator.js'),
    ...load('json/dist/classes/revive.js'),
    ...load('json/dist/classes/class-validator.js'),
  };
}
