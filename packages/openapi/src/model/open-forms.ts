import type { Schema } from '../read/openapi-document.js';
import { withoutLongForms } from './long-integers.js';
import { type JsonSchema, typesOf } from './schema-facts.js';

/** An object of which nothing is said. */
export const OPEN: JsonSchema = { type: 'object', additionalProperties: true };

/** An open object with the members that all of some objects require, and all values that these may have. */
export function commonForm(all: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = all;
  const required = (first.required ?? []).filter((name) =>
    others.every((each) => each.required?.includes(name)),
  );
  if (required.length === 0) return OPEN;
  const properties = required.map((name) => {
    const forms = all.map((each) => each.properties?.[name] ?? {});
    const values = forms.flatMap(
      ({ enum: listed, const: only }) => listed ?? (only === undefined ? [] : [only]),
    );
    const areKnown = forms.every((form) => form.enum !== undefined || form.const !== undefined);
    return [name, areKnown ? { enum: [...new Set(values)] } : forms[0]!] as const;
  });
  return { ...withOpenMembers(Object.fromEntries(properties)), required };
}

/** An object with these members and others of any name. TypeScript has one type for all, and a bigint is not a value of JSON. */
export function withOpenMembers(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const members = Object.entries(properties).map(([name, each]) => [name, withoutLongForms(each)] as const);
  return { type: 'object', properties: Object.fromEntries(members), additionalProperties: true };
}

/** The same for a schema that may also have other types. */
export function openForm(schema: Schema): JsonSchema {
  const types = typesOf(schema);
  return types.length === 0 || types.includes('object') ? OPEN : {};
}

/** A schema that accepts null, too. */
export function orNull(form: JsonSchema): JsonSchema {
  if (Object.keys(form).length === 0 || form.type === 'null') return form;
  if (form.type !== undefined && form.enum === undefined && form.properties === undefined)
    return { ...form, type: [...[form.type].flat(), 'null'] };
  return { anyOf: [...(form.anyOf ?? [form]), { type: 'null' }] };
}
