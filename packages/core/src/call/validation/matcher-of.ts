import type { JsonSchema } from '@toolwright/manifest';
import type { Matcher } from '../../base/patterns/step-budget.js';
import { steps, type Maker } from './check-budget.js';

const matchers: Record<Maker, WeakMap<JsonSchema, Map<string, Matcher>>> = {
  caller: new WeakMap(),
  method: new WeakMap(),
};

/**
 * A matcher for a pattern of a schema, within the budget of the check. It is created once, and kept as long
 * as the schema.
 */
export function matcherOf(schema: JsonSchema, pattern: string, maker: Maker): Matcher {
  let known = matchers[maker].get(schema);
  if (!known) matchers[maker].set(schema, (known = new Map()));
  let matcher = known.get(pattern);
  if (!matcher) known.set(pattern, (matcher = steps[maker].matcher(pattern)));
  return matcher;
}
