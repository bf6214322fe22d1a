import type { OptionRule } from '../options/option-schema.js';

/**
 * A schema of Zod, Valibot, ArkType or any other library with Standard Schema (https://standardschema.dev).
 * Its JSON Schema comes from Standard JSON Schema, which such a library or its converter adds.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Exists only for TypeScript. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Missing in libraries that have no Standard JSON Schema. */
    readonly jsonSchema?: StandardConverter | undefined;
  };
}

/** What a schema says about a value. A success has no `issues`. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Writes the JSON Schema of the values that a schema accepts, or of those that it returns. */
export interface StandardConverter {
  readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
  readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
}

/** Whether a value is a schema of such a library. Those of ArkType are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const { '~standard': standard } = value as { '~standard'?: { validate?: unknown } | null };
  return typeof standard?.validate === 'function';
}

export const standardSchema: OptionRule = {
  expected: 'a schema of Zod, Valibot, ArkType or another library with Standard Schema',
  accepts: isStandardSchema,
};
