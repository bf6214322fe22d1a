import { isLongArgument } from '../model/long-integers.js';
import type { ApiPlan } from '../model/plan-operations.js';
import type { JsonSchema } from '../model/schema-facts.js';
import { behind } from '../model/tool-contract.js';
import { cutText } from '@toolwright/core/extend';
import { apiError } from './api-errors.js';

/** Digits of integers become a bigint, as the build does it for decorated methods. Requests have them as a number. */
export function integersIn(value: unknown, schema: JsonSchema, definitions: ApiPlan['inputs']): unknown {
  if (typeof value !== 'object' && typeof value !== 'string') return value;
  const whole = formOf(value, schema, definitions);
  if (typeof value === 'string') return isLongArgument(whole) ? withinBounds(value, whole) : value;
  if (Array.isArray(value)) return value.map((each) => integersIn(each, whole.items ?? {}, definitions));
  if (value === null) return value;
  const { properties = {}, additionalProperties: more } = whole;
  const others = typeof more === 'object' ? more : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => [
      key,
      integersIn(each, (Object.hasOwn(properties, key) && properties[key]) || others, definitions),
    ]),
  );
}

/**
 * The bounds of a schema are about numbers, so nobody has compared the digits with them.
 *
 * @throws {ToolError} for an integer that the API does not take
 */
function withinBounds(digits: string, schema: JsonSchema): bigint {
  const value = BigInt(digits);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
    string,
    number
  >;
  const isWrong =
    value < (minimum ?? -Infinity) ||
    value > (maximum ?? Infinity) ||
    value <= (exclusiveMinimum ?? -Infinity) ||
    value >= (exclusiveMaximum ?? Infinity) ||
    (Number.isSafeInteger(multipleOf) && multipleOf! > 0 && value % BigInt(multipleOf!) !== 0n);
  if (!isWrong) return value;
  const bounds = Object.entries({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf })
    .filter(([, bound]) => bound !== undefined)
    .map(([name, bound]) => `${name} ${bound}`);
  throw apiError(
    'TW_OPENAPI_REQUEST',
    `${cutText(digits, 40, '…')} is not an integer with ${bounds.join(', ')}.`,
  );
}

/** The schema of a value. Of alternatives, it is the first one that the value may be. */
export function formOf(value: unknown, schema: JsonSchema, definitions: ApiPlan['inputs']): JsonSchema {
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
  const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
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
