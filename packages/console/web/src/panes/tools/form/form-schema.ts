import { Validator } from '@cfworker/json-schema';
import {
  type RJSFSchema,
  type RJSFValidationError,
  type UiSchema,
  type ValidationData,
  type ValidatorType,
  toErrorSchema,
} from '@rjsf/utils';
import { isChoice, nameOfBranch } from './name-branches.js';
import { withoutUntouched } from './without-untouched.js';

/** The keywords that hold one schema, several, or several by name. */
const nested = {
  one: ['items', 'additionalProperties', 'not', 'contains', 'propertyNames'],
  list: ['prefixItems', 'anyOf', 'oneOf', 'allOf'],
  named: ['properties', '$defs', 'patternProperties'],
};

/**
 * A schema in the form that the form library understands. It knows lists of fixed places by their older spelling, and
 * shows files for data URLs only.
 */
export function formSchema(schema: unknown, root: unknown = schema): RJSFSchema {
  if (typeof schema !== 'object' || schema === null) return schema as RJSFSchema;
  const known = schema as Record<string, unknown>;
  const next: Record<string, unknown> = { ...known };
  for (const key of nested.one) if (key in known) next[key] = formSchema(known[key], root);
  for (const key of nested.list)
    if (Array.isArray(known[key])) next[key] = known[key].map((each) => formSchema(each, root));
  for (const key of nested.named)
    if (typeof known[key] === 'object' && known[key] !== null)
      next[key] = Object.fromEntries(
        Object.entries(known[key]).map(([name, each]) => [name, formSchema(each, root)]),
      );
  for (const key of ['anyOf', 'oneOf'])
    if (Array.isArray(known[key]))
      next[key] = (next[key] as Record<string, unknown>[]).map((each, index) => {
        const title = nameOfBranch(root, (known[key] as Record<string, unknown>[])[index]!);
        return title === undefined ? each : { title, ...each };
      });
  // The library offers choices only where each can be made once.
  if (next['type'] === 'array' && isChoice(root, known['items'])) next['uniqueItems'] = true;
  if (next['prefixItems']) {
    const { items } = next;
    Object.assign(next, { items: next['prefixItems'], additionalItems: items ?? true });
    delete next['prefixItems'];
  }
  return next as RJSFSchema;
}

/** Texts of more characters get a field of several lines. */
const LONG_TEXT = 200;
const longNames = /^(content|body|text|markdown|message|description|prompt|sql|query_text|code)$/i;

/** How fields look where the schema alone does not tell. */
export function uiSchemaOf(schema: Readonly<Record<string, unknown>>): UiSchema {
  const properties = (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>;
  const shown = Object.entries(properties).flatMap(([name, each]): [string, UiSchema][] => {
    if (typeof each !== 'object' || each['type'] !== 'string' || each['enum']) return [];
    if (each['contentEncoding'] === 'base64') return [[name, { 'ui:field': 'base64' }]];
    const isLong = Number(each['maxLength'] ?? 0) > LONG_TEXT || longNames.test(name);
    return isLong && each['format'] === undefined ? [[name, { 'ui:widget': 'textarea' }]] : [];
  });
  return { 'ui:submitButtonOptions': { norender: true }, ...Object.fromEntries(shown) };
}

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
