import { isComposed } from '../base/json-values.js';
import type { JsonSchema } from '../schema/json-schema.js';
import {
  closely,
  exactly,
  nothing,
  roughly,
  unsaid,
  type ConstraintRule,
  type JsonType,
  type SchemaPart,
} from './constraint.js';
import { TEXT_CONSTRAINTS } from './text-constraints.js';

const of = (on: readonly JsonType[] | undefined, say: ConstraintRule['say']): ConstraintRule => ({
  ...(on && { on }),
  say,
});
const number = (say: (value: number) => SchemaPart) => of(['number'], ([value]) => say(value as number));
const list = (say: (value: number) => SchemaPart) => of(['array'], ([value]) => say(value as number));
const free = (absent: ConstraintRule['absent'], say: ConstraintRule['say']): ConstraintRule => ({
  ...(absent && { absent }),
  say,
});

/**
 * The checks of class-validator in JSON Schema. A check is `exact` only if our validator and class-validator accept the
 * same values. Formats are not exact (`http://localhost` is a URI, but not an IsUrl). `multipleOf` is not
 * exact either (in binary, 19.99 is not a multiple of 0.01).
 */
const TABLE: Readonly<Record<string, ConstraintRule>> = {
  ...TEXT_CONSTRAINTS,
  allow: free('both', () => nothing),
  isdefined: free(undefined, () => nothing),
  isempty: free('both', () => closely({ enum: ['', null] })),
  isnotempty: free(undefined, (_, schema) => notEmpty(schema)),
  equals: { isList: true, say: ([value]) => enumerated([value]) },
  notequals: free('both', ([value]) => excluded([value])),
  isin: { isList: true, say: ([values]) => (Array.isArray(values) ? enumerated(values) : unsaid) },
  isnotin: free('both', ([values]) => (Array.isArray(values) ? excluded(values) : unsaid)),
  isenum: { isList: true, say: ([values]) => (isComposed(values) ? enumerated(enumValues(values)) : unsaid) },
  isinstance: free(undefined, () => unsaid),
  // A value that is declared as a date is converted before the check, so its JSON form does not matter.
  isdate: free(undefined, () => nothing),
  mindate: free(undefined, () => unsaid),
  maxdate: free(undefined, () => unsaid),

  isboolean: of(['boolean'], () => nothing),
  isobject: of(['object'], () => nothing),
  isnotemptyobject: of(['object'], ([options]) =>
    options === undefined ? exactly({ minProperties: 1 }) : roughly({ minProperties: 1 }),
  ),
  // It refuses null, accepts a missing value, and checks the items of a list.
  validatenested: { on: ['object', 'array'], absent: 'missing', say: () => nothing },

  isnumber: of(['number'], ([options]) =>
    (options as { maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces === undefined ? nothing : unsaid,
  ),
  isint: number(() => exactly({ type: 'integer' })),
  min: number((least) => exactly({ minimum: least })),
  max: number((most) => exactly({ maximum: most })),
  ispositive: number(() => exactly({ exclusiveMinimum: 0 })),
  isnegative: number(() => exactly({ exclusiveMaximum: 0 })),
  isdivisibleby: number((value) =>
    Number.isInteger(value) && value > 0 ? closely({ multipleOf: value }) : unsaid,
  ),
  islatitude: of(['number', 'string'], (_, schema) => degrees(90, schema)),
  islongitude: of(['number', 'string'], (_, schema) => degrees(180, schema)),

  isarray: of(['array'], () => nothing),
  arrayminsize: list((least) => exactly({ minItems: least })),
  arraymaxsize: list((most) => exactly({ maxItems: most })),
  arraynotempty: list(() => exactly({ minItems: 1 })),
  arrayunique: of(['array'], ([identifier], schema) => unique(identifier, schema)),
  arraycontains: of(['array'], ([values]) =>
    Array.isArray(values) && values.every(isPrimitive)
      ? closely({ allOf: values.map((value) => ({ contains: { const: value } })) })
      : unsaid,
  ),
  arraynotcontains: of(['array'], ([values]) =>
    Array.isArray(values) && values.every(isPrimitive)
      ? closely({ not: { contains: { enum: values } } })
      : unsaid,
  ),
};

/** The rule of a check, by class-validator's name in lower case; undefined for unknown checks. */
export function constraintRule(name: string): ConstraintRule | undefined {
  return Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
}

/**
 * A numeric enum object also contains the names. class-validator compares with all values of the object,
 * including the names.
 */
function enumValues(values: object): unknown[] {
  if (Array.isArray(values)) return values;
  return Object.entries(values).flatMap(([key, value]) =>
    Number.isNaN(Number(key)) ? [value as unknown] : [],
  );
}

/** class-validator compares objects by reference, so a value from JSON never equals one. */
function enumerated(values: readonly unknown[]): SchemaPart {
  const usable = values.filter(isPrimitive);
  return usable.length > 0 ? exactly({ enum: [...new Set(usable)] }) : unsaid;
}

function excluded(values: readonly unknown[]): SchemaPart {
  const usable = values.filter(isPrimitive);
  if (usable.length === 0) return nothing;
  return exactly({ not: usable.length === 1 ? { const: usable[0] } : { enum: usable } });
}

function degrees(most: number, { type }: JsonSchema): SchemaPart {
  return type === 'number' || type === 'integer' ? closely({ minimum: -most, maximum: most }) : unsaid;
}

/** class-validator compares objects by reference, so it takes two equal objects for different ones. */
function unique(identifier: unknown, schema: JsonSchema): SchemaPart {
  const { type } = (isComposed(schema.items) ? schema.items : {}) as JsonSchema;
  const primitive = typeof type === 'string' && ['string', 'number', 'integer', 'boolean'].includes(type);
  return typeof identifier === 'function' || !primitive ? unsaid : exactly({ uniqueItems: true });
}

function notEmpty({ type, anyOf, enum: values }: JsonSchema): SchemaPart {
  if (type === 'string' && values === undefined) return exactly({ minLength: 1 });
  const mayBe = values
    ? values.includes('')
    : anyOf !== undefined || type === undefined || [type].flat().includes('string');
  return mayBe ? exactly({ not: { const: '' } }) : nothing;
}

/** What JSON can write. `NaN` and a bigint are in no schema, and no value from JSON equals them. */
function isPrimitive(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}
