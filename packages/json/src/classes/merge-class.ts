import { annotationsOf, constrainSchema } from '../constraints/constrain-schema.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { Constructor } from './class-types.js';
import { isTransformed, jsonNameOf, rulesOfClass } from './class-validator.js';
import { propertySchemasOf, sensitivePropertiesOf } from './property-marks.js';

type Resolve = (schema: JsonSchema) => JsonSchema;

/**
 * Adds the rules of a class to its schema, whose properties are a copy.
 *
 * @param resolve the schema that a reference means
 */
export function mergeClass(node: JsonSchema, Dto: Constructor, resolve: Resolve): void {
  const { properties } = node;
  if (!properties) return;
  const prototype = Dto.prototype as object;
  const declared = propertySchemasOf(prototype);
  const required = new Set(node.required);
  const rules = rulesOfClass(Dto);
  for (const property of new Set([...rules.keys(), ...declared.keys()])) {
    const { constraints, passes, isConditional } = rules.get(property) ?? NO_RULE;
    const name = jsonNameOf(Dto, property);
    const written = properties[name];
    if (!written) continue;
    // Decorators also need the values of an enumeration and the items of a list.
    const whole = resolve(written);
    const schema = whole.properties ? written : whole;
    const isChanged = isTransformed(Dto, property);
    const said = declared.get(property);
    if (isChanged && said) properties[name] = { ...annotationsOf(schema), ...said };
    else if (!isConditional) {
      const lenient = passes ?? (isChanged ? 'null' : undefined);
      const found = constrainSchema(schema, { constraints, passes: lenient }, resolve);
      properties[name] = { ...found.schema, ...said };
      if (found.demanded && !hasInitialValue(Dto, property)) required.add(name);
    } else if (said) properties[name] = { ...schema, ...said };
  }
  if (required.size > 0) node.required = [...required].sort();
  for (const property of sensitivePropertiesOf(prototype)) {
    const name = jsonNameOf(Dto, String(property));
    if (properties[name]) properties[name] = { ...properties[name], ...MARK };
  }
}

const NO_RULE = { constraints: [], passes: undefined, isConditional: false };

/** `@Sensitive()` inside a decorator, or on a class of a package, of which only the declarations are known. */
const MARK = { 'x-sensitive': true };

/** Creates an instance, as class-transformer does for each call. */
function hasInitialValue(Dto: Constructor, property: string): boolean {
  try {
    return (new Dto() as Record<string, unknown>)[property] !== undefined;
  } catch {
    return false;
  }
}
