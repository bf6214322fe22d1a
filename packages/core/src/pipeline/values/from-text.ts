import type { JsonSchema } from '@toolwright/manifest';
import { setOwn } from './set-own.js';

/**
 * Reads arguments that arrive as text (of prompts and URI templates) by what their schemas want: numbers, booleans and
 * JSON for objects and arrays. What cannot be read stays a string, for validation to refuse. Arguments that the schema
 * does not know are left out.
 */
export function fromText(
  given: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): Record<string, unknown> {
  const read = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(given, name)) setOwn(read, name, readText(given[name], resolve(property, schema)));
  }
  return read;
}

function readText(value: unknown, schema: JsonSchema): unknown {
  if (typeof value !== 'string') return value;
  const types = typesOf(schema);
  if (types.length === 0 || types.includes('string')) return value;
  return parsed(value, types) ?? value;
}

function parsed(text: string, types: readonly string[]): unknown {
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.includes('number') || types.includes('integer')) {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isFinite(number)) return number;
  }
  if (!types.includes('array') && !types.includes('object')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function typesOf(schema: JsonSchema): string[] {
  if (schema.type) return ([] as string[]).concat(schema.type);
  if (schema.enum) return [...new Set(schema.enum.map((value) => typeof value as string))];
  if (schema.const !== undefined) return [typeof schema.const];
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(typesOf);
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = schema.$ref?.startsWith('#/$defs/') ? schema.$ref.slice('#/$defs/'.length) : undefined;
  return (name !== undefined && root.$defs?.[name]) || schema;
}
