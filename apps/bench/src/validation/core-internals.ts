import { dirname, join } from 'node:path';

type Validator = (value: unknown) => readonly unknown[] | undefined;
type Reviver = (value: unknown, unchecked: unknown[], pointer: string) => unknown;

interface Internals {
  validatorFor(schema: object): Validator;
  compileRevival(revival: object, options: object): Reviver;
  validateInstances(unchecked: readonly { instance: object; pointer: string }[]): Promise<unknown[]>;
}

/** The parts of core under measurement; they are not public, so they are loaded by path. */
export function loadInternals(): Internals {
  const root = dirname(require.resolve('@toolwright/core'));
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- by path, which an import cannot be given
  const load = (file: string) => require(join(root, file)) as Internals;
  return {
    ...load('pipeline/validation/validator.js'),
    ...load('pipeline/values/revive.js'),
    ...load('pipeline/validation/class-validation.js'),
  };
}
