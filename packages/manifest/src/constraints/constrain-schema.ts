import type { JsonSchema } from '../json-schema.js';
import { addKeywords } from './add-keywords.js';
import type { Constraint, ConstraintRule, Fit, JsonType } from './constraint.js';
import { constraintRule } from './constraint-table.js';
import { keepTypes, type Resolve } from './keep-types.js';

/** The values that pass all checks of a property: null, a missing value, or both. */
export type Passes = 'null' | 'missing' | 'both';

/** The checks of class-validator for one property. */
export interface PropertyConstraints {
  readonly constraints: readonly Constraint[];
  /** `@IsOptional()` lets null and a missing value pass. */
  readonly passes?: Passes | undefined;
}

/** The schema of a property, narrowed by class-validator's checks. */
export interface Constrained {
  readonly schema: JsonSchema;
  /** Whether class-validator refuses an object without the property. */
  readonly demanded: boolean;
  /** The constraints that the schema does not fully express, and how well it does. */
  readonly lacking: readonly { readonly constraint: Constraint; readonly fit: Fit }[];
}

const isNotNull = (type: string) => type !== 'null';

/**
 * Narrows the schema of a property to the values that class-validator accepts. The given schema is not
 * changed.
 */
export function constrainSchema(
  given: JsonSchema,
  { constraints, passes }: PropertyConstraints,
  resolve: Resolve,
): Constrained {
  const nullPasses = passes === 'null' || passes === 'both';
  const refusesNull = constraints.some(({ name }) => {
    const rule = constraintRule(name);
    return rule !== undefined && rule.absent !== 'both';
  });
  const values = nullPasses || refusesNull ? (keepTypes(given, isNotNull, resolve) ?? given) : given;
  const lacking: { constraint: Constraint; fit: Fit }[] = [];
  let schema = values;
  for (const constraint of constraints) {
    const { schema: narrowed, fit } = constrain(schema, constraint, resolve);
    schema = narrowed;
    if (fit !== 'exact') lacking.push({ constraint, fit });
  }
  const demanded =
    passes !== 'missing' && passes !== 'both' && constraints.some(({ name }) => isDemand(name));
  if (!nullPasses || values === given) return { schema, demanded, lacking };
  return { schema: schema === values ? given : orNull(schema), demanded, lacking };
}

/** An unknown check may or may not accept a missing value, so it does not make the property required. */
function isDemand(name: string): boolean {
  const rule = constraintRule(name);
  return rule !== undefined && rule.absent === undefined;
}

interface Narrowed {
  schema: JsonSchema;
  fit: Fit;
}

function constrain(schema: JsonSchema, constraint: Constraint, resolve: Resolve): Narrowed {
  const rule = constraintRule(constraint.name);
  if (!rule) return { schema, fit: 'none' };
  if (constraint.name === 'validatenested') return nested(narrow(schema, rule, resolve), resolve);
  if (!constraint.each) return apply(schema, { rule, constraint }, resolve);
  return onItems(schema, (item) => apply(item, { rule, constraint }, resolve), resolve);
}

/**
 * Applies a change to the items of a list. class-validator checks each item, and treats a value that is no
 * list as a single value.
 */
function onItems(schema: JsonSchema, change: (item: JsonSchema) => Narrowed, resolve: Resolve): Narrowed {
  const list = keepTypes(schema, (type) => type === 'array', resolve);
  if (list !== schema) return list === undefined ? change(schema) : { schema, fit: 'none' };
  if (schema.type === undefined || !isSchema(schema.items))
    return { schema, fit: schema.prefixItems ? 'none' : 'rough' };
  const { schema: items, fit } = change(schema.items);
  // class-validator measures texts with variation selectors differently. Only values that are revived one by
  // one are searched for such texts.
  const isMeasured = fit === 'exact' && items.minLength !== undefined && items.minLength > 0;
  return { schema: items === schema.items ? schema : { ...schema, items }, fit: isMeasured ? 'close' : fit };
}

function nested(schema: JsonSchema, resolve: Resolve): Narrowed {
  if (!isSchema(schema.items)) return { schema, fit: 'exact' };
  const items = keepTypes(schema.items, isNotNull, resolve) ?? schema.items;
  return { schema: items === schema.items ? schema : { ...schema, items }, fit: 'exact' };
}

function apply(
  schema: JsonSchema,
  { rule, constraint }: { rule: ConstraintRule; constraint: Constraint },
  resolve: Resolve,
): Narrowed {
  const typed = rule.on ? narrow(schema, rule, resolve) : dropNull(schema, rule, resolve);
  const resolved = resolve(typed);
  const { keywords, fit } = rule.say(constraint.arguments, resolved);
  // A keyword is left out beside a reference if the type behind the reference already says the same.
  const isSaid = typed !== resolved && addKeywords(resolved, keywords) === resolved;
  return { schema: isSaid ? typed : addKeywords(typed, keywords), fit };
}

function dropNull(schema: JsonSchema, { absent }: ConstraintRule, resolve: Resolve): JsonSchema {
  return absent === 'both' ? schema : (keepTypes(schema, isNotNull, resolve) ?? schema);
}

/** If no value of the type passes the check, the check decides, because it is what runs. */
function narrow(schema: JsonSchema, { on = [] }: ConstraintRule, resolve: Resolve): JsonSchema {
  const resolved = resolve(schema);
  const isOpen = ['type', 'enum', 'const', 'anyOf', 'oneOf', '$ref'].every(
    (key) => resolved[key] === undefined,
  );
  if (isOpen) return { ...schema, type: typeName(on) };
  const kept = keepTypes(schema, (type) => on.includes(type as JsonType), resolve);
  return kept ?? { ...annotationsOf(resolved), type: typeName(on) };
}

function typeName(types: readonly JsonType[]): string | string[] {
  return types.length === 1 ? types[0]! : [...types];
}

const ANNOTATIONS = ['title', 'description', 'examples', 'deprecated', 'x-sensitive', 'writeOnly'];

/** The keywords of a schema that are for people. */
export function annotationsOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => ANNOTATIONS.includes(keyword)));
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (schema.enum !== undefined) {
    const types = type === undefined ? {} : { type: [...[type].flat(), 'null'] };
    return { ...schema, ...types, enum: [...schema.enum, null] };
  }
  const isPlain = schema.const === undefined && schema.$ref === undefined && schema.allOf === undefined;
  if (type !== undefined && isPlain && !anyOf && !schema.not)
    return { ...schema, type: [...[type].flat(), 'null'] };
  const { default: value, ...others } = schema;
  const annotations = annotationsOf(others);
  return {
    ...annotations,
    anyOf: [withoutAnnotations(others), { type: 'null' }],
    ...(value === undefined ? {} : { default: value }),
  };
}

function withoutAnnotations(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.includes(keyword)));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
