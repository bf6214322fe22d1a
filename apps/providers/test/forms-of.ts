import type { Schema } from './converters/converter.js';

/**
 * The ways in which a model may write a value. Strict schemas demand every property, so what is left out is written as
 * null there; the client has to take it out again.
 */
export function formsOf(schema: Schema, value: unknown): unknown[] {
  const options = Array.isArray(schema.anyOf) ? (schema.anyOf as Schema[]) : [];
  return [value, ...options.flatMap((option) => formsOf(option, value)), ...withNulls(schema, value)];
}

function withNulls({ properties, required }: Schema, value: unknown): unknown[] {
  if (!isObject(value) || !isObject(properties)) return [];
  let forms: Record<string, unknown>[] = [{}];
  for (const [name, property] of Object.entries(properties)) {
    const demanded = Array.isArray(required) && required.includes(name);
    const given = Object.hasOwn(value, name);
    if (!given && !demanded) continue;
    const choices = given ? formsOf(property as Schema, value[name]) : [null];
    forms = forms.flatMap((form) => choices.map((choice) => ({ ...form, [name]: choice })));
  }
  return forms.map((form) => ({ ...value, ...form }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
