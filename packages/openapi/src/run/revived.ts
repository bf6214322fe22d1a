import { isLongArgument } from '../model/long-integers.js';
import type { ApiPlan } from '../model/plan-operations.js';
import { type JsonSchema, behind } from '../model/schema-facts.js';
import { jsonTypeOf, readBase64 } from '@toolwright/json';
import { apiError } from './api-errors.js';

/**
 * An argument as requests have it, as the build revives it for decorated methods: digits of an integer become a bigint,
 * and base64 becomes bytes. In JSON these are a number, and base64 again.
 *
 * @throws {ToolError} for a text that is not base64: its bytes would be those of another text
 */
export function revived(
  value: unknown,
  schema: JsonSchema,
  definitions: ApiPlan['inputs'],
  name: string,
): unknown {
  if (typeof value === 'string') {
    if (behind(schema, definitions)['contentEncoding'] === 'base64') return bytesOf(value, name);
    return isLongArgument(formOf(value, schema, definitions)) ? BigInt(value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const whole = formOf(value, schema, definitions);
  if (Array.isArray(value)) return value.map((each) => revived(each, whole.items ?? {}, definitions, name));
  const { properties = {}, additionalProperties: more } = whole;
  const others = typeof more === 'object' ? more : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      revived(each, (Object.hasOwn(properties, key) && properties[key]) || others, definitions, key),
    ]),
  );
}

function bytesOf(text: string, name: string): Uint8Array {
  const bytes = readBase64(text);
  if (!bytes) throw apiError('TW_OPENAPI_REQUEST', `${name} is not base64.`);
  return bytes;
}

/** The schema of a value. Of alternatives, it is the first one that the value may be. */
function formOf(value: unknown, schema: JsonSchema, definitions: ApiPlan['inputs']): JsonSchema {
  const whole = behind(schema, definitions);
  if (!whole.anyOf) return whole;
  const forms = whole.anyOf.map((each) => formOf(value, each, definitions));
  const fitting = forms.filter((form) => mayBe(value, form));
  // A text of any kind may have digits, too.
  if (typeof value === 'string' && !fitting.every(isLongArgument)) return {};
  return fitting[0] ?? {};
}

/** A coarse look: the arguments are known to fit one of the alternatives. */
function mayBe(value: unknown, { type, required = [], properties = {}, ...others }: JsonSchema): boolean {
  const allowed = others.enum ?? (others.const === undefined ? undefined : [others.const]);
  if (allowed) return allowed.includes(value);
  const types = [type ?? []].flat();
  const kind = jsonTypeOf(value);
  if (kind === 'number' && types.includes('integer')) return true;
  if (types.length > 0 && !types.includes(kind)) return false;
  if (kind !== 'object') return true;
  const members = value as Record<string, unknown>;
  return (
    required.every((name) => Object.hasOwn(members, name)) &&
    Object.entries(properties).every(
      ([name, each]) => !Object.hasOwn(members, name) || mayBe(members[name], each),
    )
  );
}
