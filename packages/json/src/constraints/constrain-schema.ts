import { isSchema, type JsonSchema } from '../schema/json-schema.js';
import { NOTES } from '../schema/keywords.js';
import { type ResolveSchema, addKeywords, keepTypes, mayBe } from './add-keywords.js';
import type { Constraint, ConstraintRule, Fit, JsonType } from './constraint.js';
import { constraintRule } from './constraint-table.js';

/** The values that pass all checks of a property: null, a missing value, or both. */
export type Passes = 'null' | 'missing' | 'both';

/** The checks of class-validator for one property. */
export interface PropertyConstraints {
  readonly constraints: readonly Constraint[];
  /** `@IsOptional()` lets null and a missing value pass. */
  readonly passes?: Passes | undefined;
  /** Whether the property is a Map, whose values checks with `each` are for. Undefined if only its schema is known. */
  readonly isMap?: boolean | undefined;
}

/** The schema of a property, narrowed by class-validator's checks. */
export interface Constrained {
  readonly schema: JsonSchema;
  /** Whether class-validator refuses an object without the property. */
  readonly demanded: boolean;
  /** The constraints that the schema does not fully express, and how well it does. */
  readonly lacking: readonly { readonly constraint: Constraint; readonly fit: Fit }[];
}

const isNull = (type: string) => type === 'null';
const isNotNull = (type: string) => type !== 'null';

/**
 * Narrows the schema of a property to the values that class-validator accepts. The given schema is not
 * changed.
 */
export function constrainSchema(
  given: JsonSchema,
  { constraints, passes, isMap }: PropertyConstraints,
  resolve: ResolveSchema,
): Constrained {
  const nullPasses = passes === 'null' || passes === 'both';
  const refusesNull = constraints.some(({ name }) => {
    const rule = constraintRule(name);
    return rule !== undefined && rule.absent !== 'both';
  });
  const values = nullPasses || refusesNull ? (keepTypes(given, isNotNull, resolve) ?? given) : given;
  const lacking: { constraint: Constraint; fit: Fit }[] = [];
  let schema = values;
  const disagree = haveNoTypeInCommon(constraints);
  for (const constraint of constraints) {
    const { schema: narrowed, fit } = constrain(schema, { ...constraint, isMap }, resolve);
    schema = narrowed;
    if (fit !== 'exact') lacking.push({ constraint, fit });
    else if (disagree) lacking.push({ constraint, fit: 'close' });
  }
  const demanded =
    passes !== 'missing' && passes !== 'both' && constraints.some(({ name }) => isDemand(name));
  if (!nullPasses || !mayBe(given, isNull, resolve)) return { schema, demanded, lacking };
  return { schema: schema === values ? given : orNull(schema), demanded, lacking };
}

/** `@IsString() @IsArray()` refuses every value. A schema that follows the last check would accept some. */
function haveNoTypeInCommon(constraints: readonly Constraint[]): boolean {
  const accepted = constraints.flatMap(({ name, each }) => (each ? [] : [constraintRule(name)?.on ?? []]));
  const [first = [], ...others] = accepted.filter((types) => types.length > 0);
  return others.length > 0 && !first.some((type) => others.every((types) => types.includes(type)));
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

function constrain(
  schema: JsonSchema,
  constraint: Constraint & Pick<PropertyConstraints, 'isMap'>,
  resolve: ResolveSchema,
): Narrowed {
  const rule = constraintRule(constraint.name);
  if (!rule) return { schema, fit: 'none' };
  if (constraint.name === 'validatenested') return nested(narrow(schema, rule, resolve), resolve);
  if (!constraint.each) return apply(schema, { rule, constraint }, resolve);
  const change = (item: JsonSchema) => apply(item, { rule, constraint }, resolve);
  if (constraint.isMap !== false) {
    const narrowed = onValues(schema, change, { isMap: constraint.isMap === true, resolve });
    if (narrowed) return narrowed;
  }
  return onItems(schema, change, resolve);
}

/**
 * Applies a change to the values of a Map, which is an object or a list of pairs in JSON. Undefined if the schema has
 * neither form.
 */
function onValues(
  schema: JsonSchema,
  change: (value: JsonSchema) => Narrowed,
  { isMap, resolve }: { isMap: boolean; resolve: ResolveSchema },
): Narrowed | undefined {
  const { additionalProperties, items, properties } = keepTypes(schema, isNotNull, resolve) ?? schema;
  const isNullable = mayBe(schema, isNull, resolve);
  if (isSchema(additionalProperties) && !properties) {
    const { schema: values, fit } = change(additionalProperties);
    return isNullable
      ? { schema, fit: 'rough' }
      : { schema: { ...schema, additionalProperties: values }, fit: isMap ? measured(values, fit) : 'rough' };
  }
  const pair = isSchema(items) && items.minItems === 2 && items.maxItems === 2 ? items : undefined;
  // The compiler has the form of older dialects.
  const place = pair && Array.isArray(pair.items) ? 'items' : 'prefixItems';
  const parts = pair?.[place] as readonly JsonSchema[] | undefined;
  if (!parts) return undefined;
  // The same schema may be that of a list of pairs, each of which is then a value.
  if (!isMap || isNullable) return { schema, fit: 'rough' };
  const { schema: value, fit } = change(parts[1]!);
  return {
    schema: { ...schema, items: { ...pair, [place]: [parts[0]!, value] } },
    fit: measured(value, fit),
  };
}

/**
 * Applies a change to the items of a list. class-validator checks each item, and treats a value that is not
 * a list as a single value.
 */
function onItems(
  schema: JsonSchema,
  change: (item: JsonSchema) => Narrowed,
  resolve: ResolveSchema,
): Narrowed {
  const list = keepTypes(schema, (type) => type === 'array', resolve);
  if (list !== schema) return list === undefined ? change(schema) : { schema, fit: 'none' };
  if (schema.type === undefined || !isSchema(schema.items))
    return { schema, fit: schema.prefixItems ? 'none' : 'rough' };
  const { schema: items, fit } = change(schema.items);
  return { schema: items === schema.items ? schema : { ...schema, items }, fit: measured(items, fit) };
}

/**
 * class-validator measures texts with variation selectors differently. Only values that are revived one by one are
 * searched for such texts.
 */
function measured({ minLength = 0 }: JsonSchema, fit: Fit): Fit {
  return fit === 'exact' && minLength > 0 ? 'close' : fit;
}

function nested(schema: JsonSchema, resolve: ResolveSchema): Narrowed {
  if (!isSchema(schema.items)) return { schema, fit: 'exact' };
  const items = keepTypes(schema.items, isNotNull, resolve) ?? schema.items;
  return { schema: items === schema.items ? schema : { ...schema, items }, fit: 'exact' };
}

function apply(
  schema: JsonSchema,
  { rule, constraint }: { rule: ConstraintRule; constraint: Constraint },
  resolve: ResolveSchema,
): Narrowed {
  const typed = rule.on ? narrow(schema, rule, resolve) : dropNull(schema, rule, resolve);
  const resolved = resolve(typed);
  const { keywords, fit } = rule.say(constraint.arguments, resolved);
  // A keyword is left out beside a reference if the type behind the reference already says the same.
  const isSaid = typed !== resolved && addKeywords(resolved, keywords) === resolved;
  const said = isSaid ? typed : addKeywords(typed, keywords);
  const isExact = fit === 'exact' && !isDropped(schema, typed, resolve) && !contradicts(resolved, keywords);
  return {
    schema: refusesNull(rule) ? notNull(said, resolve) : said,
    fit: fit === 'exact' && !isExact ? 'close' : fit,
  };
}

/** Whether no value was left, so that the rules of other checks were dropped with the type. */
function isDropped(before: JsonSchema, after: JsonSchema, resolve: ResolveSchema): boolean {
  const { type } = after;
  if (before === after || type === undefined) return false;
  return !mayBe(before, (each) => [type].flat().includes(each), resolve);
}

/** Whether two checks list values, and no value is in both lists. */
function contradicts({ enum: known, const: only }: JsonSchema, { enum: added }: JsonSchema): boolean {
  const values = known ?? (only === undefined ? undefined : [only]);
  return !!added && !!values && !values.some((value) => added.includes(value));
}

/** A list of values says itself whether null is one of them. */
function refusesNull({ on, absent, isList }: ConstraintRule): boolean {
  return !on && absent !== 'both' && !isList;
}

function dropNull(schema: JsonSchema, { absent }: ConstraintRule, resolve: ResolveSchema): JsonSchema {
  return absent === 'both' ? schema : (keepTypes(schema, isNotNull, resolve) ?? schema);
}

/** A schema without types, such as that of `any`, accepts null unless a keyword refuses it. */
function notNull(schema: JsonSchema, resolve: ResolveSchema): JsonSchema {
  return mayBe(schema, isNull, resolve) ? addKeywords(schema, { not: { const: null } }) : schema;
}

/** If no value of the type passes the check, the check decides, because it is what runs. */
function narrow(schema: JsonSchema, { on = [] }: ConstraintRule, resolve: ResolveSchema): JsonSchema {
  const resolved = resolve(schema);
  const isOpen = ['type', 'enum', 'const', 'anyOf', 'oneOf', '$ref'].every(
    (key) => resolved[key] === undefined,
  );
  if (isOpen) return { ...schema, type: typeName(on) };
  const isAccepted = (type: string) => on.includes(type as JsonType);
  const kept = keepTypes(schema, isAccepted, resolve);
  if (!kept) return { ...annotationsOf(resolved), type: typeName(on) };
  // One alternative may say nothing about types.
  return mayBe(kept, (type) => !isAccepted(type), resolve) ? { ...kept, type: typeName(on) } : kept;
}

function typeName(types: readonly JsonType[]): string | string[] {
  return types.length === 1 ? types[0]! : [...types];
}

/** The keywords of a schema that are for people. */
export function annotationsOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => NOTES.includes(keyword)));
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
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !NOTES.includes(keyword)));
}
