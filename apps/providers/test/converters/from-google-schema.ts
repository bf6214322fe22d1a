import type { Schema } from './converter.js';

/**
 * The JSON Schema that says what a schema of Google's dialect says: its types are written in capitals, `null` is
 * `nullable`, counts are texts.
 */
export function fromGoogleSchema(schema: unknown): Schema {
  return translate(JSON.parse(JSON.stringify(schema ?? { type: 'OBJECT' })) as Schema);
}

function translate({ nullable, ...schema }: Schema): Schema {
  const entries = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    translateKeyword(keyword, value),
  ]);
  const translated = Object.fromEntries(entries) as Schema;
  return nullable === true ? { anyOf: [translated, { type: 'null' }] } : translated;
}

function translateKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'type') return String(value).toLowerCase();
  if (counts.has(keyword)) return Number(value);
  if (keyword === 'items') return translate(value as Schema);
  if (choices.has(keyword)) return (value as Schema[]).map(translate);
  if (keyword !== 'properties') return value;
  const properties = Object.entries(value as Record<string, Schema>);
  return Object.fromEntries(properties.map(([name, property]) => [name, translate(property)]));
}

const counts = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);
const choices = new Set(['anyOf', 'oneOf', 'allOf']);
