import { isUnicodePattern } from '../docs/read-doc-keywords.js';
import type { Definition } from '../types/tjs-internals.js';
import { exactly, inexact, nothing, roughly, type SchemaPart } from './constraint.js';

type Translate = (value: never, second: never, schema: Definition) => SchemaPart;

/**
 * class-validator's decorators as keywords. `exactly` only where Ajv and class-validator accept the same values: its
 * own formats do not (`2020-01-01` is an ISO 8601 date but no date-time, `http://localhost` is a URI but no IsUrl,
 * `urn:uuid:…`, quoted e-mail addresses), nor does `multipleOf` for decimals (19.99 is no multiple of 0.01 in binary).
 */
const TABLE: Readonly<Record<string, Translate>> = {
  // Said by the type already, or by being there.
  IsOptional: () => nothing,
  IsDefined: () => nothing,
  Allow: () => nothing,
  ValidateNested: () => nothing,
  IsString: (_value, _second, schema) => typed('string', schema),
  IsBoolean: (_value, _second, schema) => typed('boolean', schema),
  IsArray: (_value, _second, schema) => typed('array', schema),
  IsObject: (_value, _second, schema) => typed('object', schema),
  IsDate: () => nothing,
  IsInstance: () => nothing,
  IsNumber: (options: { maxDecimalPlaces?: number } | undefined, _second, schema) =>
    options?.maxDecimalPlaces === undefined ? typed('number', schema) : inexact,
  IsInt: (_value, _second, schema) =>
    schema.type === 'number' || schema.type === undefined ? exactly({ type: 'integer' }) : nothing,
  IsEnum: (values: object, _second, schema) => enumerated(enumValues(values), schema),
  IsIn: (values: unknown[], _second, schema) => enumerated(values, schema),
  IsNotIn: (values: unknown[]) => exactly({ not: { enum: values } }),
  Equals: (value: unknown) => exactly({ const: value }),
  NotEquals: (value: unknown) => exactly({ not: { const: value } }),

  Min: (value: number) => exactly({ minimum: value }),
  Max: (value: number) => exactly({ maximum: value }),
  IsPositive: () => exactly({ exclusiveMinimum: 0 }),
  IsNegative: () => exactly({ exclusiveMaximum: 0 }),
  IsDivisibleBy: (value: number) => (Number.isInteger(value) ? exactly({ multipleOf: value }) : inexact),
  IsPort: () => inexact,
  IsLatitude: (_value, _second, schema) =>
    schema.type === 'number' ? roughly({ minimum: -90, maximum: 90 }) : inexact,
  IsLongitude: (_value, _second, schema) =>
    schema.type === 'number' ? roughly({ minimum: -180, maximum: 180 }) : inexact,

  IsNotEmpty: (_value, _second, schema) => (schema.type === 'string' ? exactly({ minLength: 1 }) : nothing),
  MinLength: (value: number) => exactly({ minLength: value }),
  MaxLength: (value: number) => exactly({ maxLength: value }),
  Length: (min: number, max: number | undefined) =>
    exactly({ minLength: min, ...(max === undefined ? {} : { maxLength: max }) }),
  Matches: (pattern: RegExp | string, flags: unknown) =>
    matches(pattern, typeof flags === 'string' ? flags : ''),
  Contains: (seed: string) => exactly({ pattern: escapePattern(seed) }),
  IsMongoId: () => exactly({ pattern: '^[0-9a-fA-F]{24}$' }),
  IsAlpha: (locale: unknown) => (isDefaultLocale(locale) ? exactly({ pattern: '^[A-Za-z]+$' }) : inexact),
  IsAlphanumeric: (locale: unknown) =>
    isDefaultLocale(locale) ? exactly({ pattern: '^[0-9A-Za-z]+$' }) : inexact,
  IsEmail: () => roughly({ format: 'email' }),
  IsUrl: () => roughly({ format: 'uri' }),
  IsUUID: () => roughly({ format: 'uuid' }),
  IsISO8601: () => roughly({ format: 'date-time' }),
  IsDateString: () => roughly({ format: 'date-time' }),
  IsRFC3339: () => roughly({ format: 'date-time' }),
  IsIP: (version: unknown) => roughly(ipFormat(version)),
  IsFQDN: () => roughly({ format: 'hostname' }),
  IsBase64: () => roughly({ contentEncoding: 'base64' }),

  ArrayMinSize: (value: number) => exactly({ minItems: value }),
  ArrayMaxSize: (value: number) => exactly({ maxItems: value }),
  ArrayNotEmpty: () => exactly({ minItems: 1 }),
  ArrayUnique: (identifier: unknown, _second, schema) => uniqueItems(identifier, schema),
  IsNotEmptyObject: () => exactly({ minProperties: 1 }),
};

/** Keywords of a decorator for the schema it meets; undefined when class-validator has no such decorator we know. */
export function translateConstraint(
  name: string,
  [first, second]: readonly unknown[],
  schema: Definition,
): SchemaPart | undefined {
  return TABLE[name]?.(first as never, second as never, schema);
}

/** The type of the property decides; a decorator that disagrees with it is left to class-validator. */
function typed(type: string, schema: Definition): SchemaPart {
  if (schema.type === undefined && Object.keys(schema).every((key) => key === 'description'))
    return exactly({ type });
  const agrees = schema.type === type || (type === 'number' && schema.type === 'integer');
  return agrees || schema.enum !== undefined || schema.anyOf !== undefined ? nothing : inexact;
}

/** Numeric enums hold their names as well; class-validator compares with the object's values, names included. */
function enumValues(values: object): unknown[] {
  if (Array.isArray(values)) return values;
  return Object.entries(values).flatMap(([key, value]) =>
    Number.isNaN(Number(key)) ? [value as unknown] : [],
  );
}

function enumerated(values: unknown[], schema: Definition): SchemaPart {
  if (schema.enum !== undefined || schema.const !== undefined) return nothing;
  return exactly(values.length === 1 ? { const: values[0] } : { enum: values });
}

function matches(pattern: RegExp | string, flags: string): SchemaPart {
  const published = publishedPattern(pattern, flags);
  return published === undefined ? inexact : exactly({ pattern: published });
}

/** A regular expression as JSON Schema has it, with the u flag and no other; undefined for those that need others. */
export function publishedPattern(pattern: RegExp | string, flags: string): string | undefined {
  const source = typeof pattern === 'string' ? pattern : pattern.source;
  const used = (typeof pattern === 'string' ? flags : pattern.flags).replace(/[ug]/g, '');
  return used === '' && isUnicodePattern(source) ? source : undefined;
}

function ipFormat(version: unknown): Definition {
  if (version === undefined) return { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] };
  return { format: Number(version) === 6 ? 'ipv6' : 'ipv4' };
}

/** class-validator compares objects by reference, so two equal ones are different to it: nothing to publish. */
function uniqueItems(identifier: unknown, schema: Definition): SchemaPart {
  const { type } = (schema.items ?? {}) as Definition;
  const primitive = typeof type === 'string' && ['string', 'number', 'integer', 'boolean'].includes(type);
  if (typeof identifier === 'function' || !primitive) return inexact;
  return exactly({ uniqueItems: true });
}

function isDefaultLocale(locale: unknown): boolean {
  return locale === undefined || locale === 'en-US';
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
