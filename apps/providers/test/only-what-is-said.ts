import type { Schema } from './converters/converter.js';

/**
 * A schema that takes nothing but what it speaks of. A schema without a property may allow it, but a model that is
 * never told of a property does not write it.
 */
export function onlyWhatIsSaid(schema: Schema): Schema {
  const entries = Object.entries(schema).map(([keyword, value]) => [keyword, within(keyword, value)]);
  const copy = Object.fromEntries(entries) as Schema;
  return listsItsProperties(copy) ? { ...copy, additionalProperties: false } : copy;
}

function within(keyword: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (single.has(keyword) && !Array.isArray(value)) return onlyWhatIsSaid(value as Schema);
  if (lists.has(keyword) && Array.isArray(value)) return value.map((part) => onlyWhatIsSaid(part as Schema));
  if (!named.has(keyword)) return value;
  const parts = Object.entries(value as Record<string, Schema>);
  return Object.fromEntries(parts.map(([name, part]) => [name, onlyWhatIsSaid(part)]));
}

/** Beside a choice or a combination, the properties are told in several places. */
function listsItsProperties({ properties, additionalProperties = true, ...others }: Schema): boolean {
  if (additionalProperties !== true || ['anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in others)) {
    return false;
  }
  return typeof properties === 'object' && Object.keys(properties ?? {}).length > 0;
}

const single = new Set(['items', 'additionalProperties']);
const lists = new Set(['anyOf', 'oneOf', 'prefixItems', 'items']);
const named = new Set(['properties', '$defs', 'definitions', 'patternProperties']);
