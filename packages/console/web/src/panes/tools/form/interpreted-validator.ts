import { Validator } from '@cfworker/json-schema';
import {
  toErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils';
import { withoutUntouched } from './without-untouched.js';

type Schema = ConstructorParameters<typeof Validator>[0];

/**
 * Validates forms without `eval`, which the page may not use. The server of the console validates again, and its word
 * counts.
 */
export const interpretedValidator: ValidatorType = {
  validateFormData(formData, schema): ValidationData<unknown> {
    const { errors = [] } = interpretedValidator.rawValidation<RJSFValidationError>(
      schema,
      withoutUntouched(schema, formData),
    );
    return { errors, errorSchema: toErrorSchema(errors) };
  },
  isValid: (schema, formData, rootSchema) => run(withDefinitions(schema, rootSchema), formData).length === 0,
  rawValidation: <Result>(schema: RJSFSchema, formData?: unknown) => ({
    errors: run(schema, formData) as unknown as Result[],
  }),
};

function run(schema: RJSFSchema | boolean, value: unknown): RJSFValidationError[] {
  try {
    const { errors } = new Validator(schema as Schema, '2020-12', false).validate(withoutUndefined(value));
    // What only says that something inside is wrong, repeats it.
    const precise = errors.filter(
      ({ keyword }) => !/^(properties|items|prefixItems|\$ref|additionalProperties)$/.test(keyword),
    );
    return (precise.length > 0 ? precise : errors).map(({ instanceLocation, error, keyword }) => {
      const property = propertyOf(instanceLocation);
      return { name: keyword, property, message: error, stack: `${property} ${error}` };
    });
  } catch (error) {
    return [{ stack: error instanceof Error ? error.message : String(error) }];
  }
}

/** A part of a schema points into the whole of it. */
function withDefinitions(schema: RJSFSchema, root: RJSFSchema): RJSFSchema {
  if (typeof schema !== 'object') return schema;
  const { $defs, definitions } = root ?? {};
  return { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema };
}

/** A JSON pointer such as `#/filter/0` as a path such as `.filter.0`. */
function propertyOf(pointer: string): string {
  const parts = pointer.replace(/^#\/?/, '').split('/').filter(Boolean);
  return parts.map((part) => `.${decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~')}`).join('');
}

/** Forms leave empty fields as `undefined`, which JSON does not know. */
function withoutUndefined(value: unknown): unknown {
  return value === undefined ? {} : JSON.parse(JSON.stringify(value));
}
