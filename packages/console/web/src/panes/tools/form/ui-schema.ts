import type { UiSchema } from '@rjsf/utils';

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
