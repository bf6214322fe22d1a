import type { Definition } from './tjs-adapter.js';

type Resolve = (schema: Definition) => Definition;

/**
 * Whether a constant matches a schema. It checks types, choices and bounds of values, list items and
 * properties. That is enough to find a default that no call could have sent.
 */
export function fitsSchema(value: unknown, schema: Definition, resolve: Resolve): boolean {
  const known = resolve(schema);
  const branches = (known.anyOf ?? known.oneOf) as Definition[] | undefined;
  if (branches && !branches.some((branch) => fitsSchema(value, branch, resolve))) return false;
  if (known.const !== undefined && known.const !== value) return false;
  if (known.enum && !(known.enum as unknown[]).includes(value)) return false;
  if (known.type !== undefined && ![known.type].flat().some((type) => isOfType(value, type))) return false;
  if (typeof value === 'number') return fitsNumber(value, known);
  if (typeof value === 'string') return fitsText(value, known);
  if (Array.isArray(value)) return fitsList(value, known, resolve);
  return typeof value === 'object' && value !== null ? fitsObject(value, known, resolve) : true;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function fitsNumber(value: number, schema: Definition): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    !(typeof minimum === 'number' && value < minimum) &&
    !(typeof maximum === 'number' && value > maximum) &&
    !(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) &&
    !(typeof multipleOf === 'number' && Number.isInteger(multipleOf) && value % multipleOf !== 0)
  );
}

function fitsText(value: string, { minLength, maxLength, pattern }: Definition): boolean {
  const length = [...value].length;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  return !(typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value));
}

function fitsList(value: readonly unknown[], schema: Definition, resolve: Resolve): boolean {
  const { minItems, maxItems, items } = schema;
  if (typeof minItems === 'number' && value.length < minItems) return false;
  if (typeof maxItems === 'number' && value.length > maxItems) return false;
  if (typeof items !== 'object' || items === null || Array.isArray(items)) return true;
  return value.every((item) => fitsSchema(item, items as Definition, resolve));
}

function fitsObject(value: object, { properties = {} }: Definition, resolve: Resolve): boolean {
  return Object.entries(value).every(([name, part]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property === undefined || fitsSchema(part, property, resolve);
  });
}
