import { StepBudget } from '../../base/patterns/step-budget.js';
import { isJsonObject, type JsonObject } from '../messages/json-rpc.js';

const formats: Readonly<Record<string, RegExp>> = {
  email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/,
  uri: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/,
};

/**
 * True when a form's answer fits the schema of the question. Forms are flat objects of primitives and choices
 * (2026-07-28 client/elicitation). This function is therefore enough, and Ajv need not be loaded.
 */
export function fitsForm(content: unknown, schema: JsonObject): boolean {
  if (!isJsonObject(content)) return false;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (!required.every((name) => Object.hasOwn(content, name as string))) return false;
  return Object.entries(content).every(([name, value]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isJsonObject(field) ? fitsField(value, field) : schema['additionalProperties'] !== false;
  });
}

function fitsField(value: unknown, field: JsonObject): boolean {
  if (Array.isArray(field['enum'])) return field['enum'].includes(value);
  if (Array.isArray(field['oneOf'])) return isOneOf(value, field['oneOf']);
  switch (field['type']) {
    case 'string':
      return typeof value === 'string' && fitsText(value, field);
    case 'integer':
    case 'number':
      return typeof value === 'number' && fitsNumber(value, field);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value) && fitsChoices(value, field);
    default:
      return true;
  }
}

function fitsText(value: string, { minLength, maxLength, format, pattern }: JsonObject): boolean {
  const length = [...value].length;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  if (typeof pattern === 'string' && !new StepBudget().matcher(pattern).test(value)) return false;
  const known = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  return known === undefined || known.test(value);
}

function fitsNumber(value: number, { type, minimum, maximum }: JsonObject): boolean {
  if (type === 'integer' && !Number.isInteger(value)) return false;
  return (
    !(typeof minimum === 'number' && value < minimum) && !(typeof maximum === 'number' && value > maximum)
  );
}

function fitsChoices(values: unknown[], { items, minItems, maxItems }: JsonObject): boolean {
  if (typeof minItems === 'number' && values.length < minItems) return false;
  if (typeof maxItems === 'number' && values.length > maxItems) return false;
  if (!isJsonObject(items)) return true;
  const { anyOf } = items;
  return values.every((value) => (Array.isArray(anyOf) ? isOneOf(value, anyOf) : fitsField(value, items)));
}

function isOneOf(value: unknown, options: unknown[]): boolean {
  return options.some((option) => isJsonObject(option) && option['const'] === value);
}
