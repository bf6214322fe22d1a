import { isLongArgument } from '../model/long-integers.js';
import type { ApiPlan } from '../model/plan-operations.js';
import type { JsonSchema } from '../model/schema-facts.js';
import { behind } from '../model/tool-contract.js';

/** Digits of integers become a bigint, as the build does it for decorated methods. Requests have them as a number. */
export function integersIn(value: unknown, schema: JsonSchema, definitions: ApiPlan['inputs']): unknown {
  if (typeof value !== 'object' && typeof value !== 'string') return value;
  const whole = formOf(value, schema, definitions);
  if (typeof value === 'string') return isLongArgument(whole) ? BigInt(value) : value;
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
