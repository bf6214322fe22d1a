import { DIGITS } from '@toolwright/json';
import { type Definition, ts } from './tjs-adapter.js';
import type { SchemaErrorCode } from '../diagnostics/catalogue.js';
import { UnsupportedType } from '../diagnostics/diagnostic.js';
import { keptAlias } from '../program/kept-aliases.js';
import type { SpecialType } from '../types/classify-type.js';
import { templatePattern } from '../types/template-pattern.js';
import { enumSchema, literalOf } from './plain-schemas.js';

interface Surroundings {
  define: (type: ts.Type) => Definition;
  /** The same for the items of a list. */
  item: (type: ts.Type) => Definition;
  report: (code: SchemaErrorCode, detail: string) => void;
  /** The text of the type, for messages. */
  name: () => string;
}

/** The schema of a type that needs its own. The JSON forms are those of `Revival`. */
export function schemaOfSpecial(special: SpecialType, around: Surroundings): Definition {
  switch (special.kind) {
    case 'integer':
    case 'number':
    case 'string':
    case 'boolean':
      return { type: special.kind };
    case 'object':
      return { type: 'object', properties: {}, additionalProperties: true };
    case 'date':
      return { type: 'string', format: 'date-time' };
    case 'url':
      return { type: 'string', format: 'uri' };
    case 'bigint':
      if (special.value !== undefined) return enumSchema(formsOf(special.value));
      return { anyOf: [{ type: 'integer' }, { type: 'string', pattern: DIGITS }] };
    case 'bytes':
      return { type: 'string', contentEncoding: 'base64' };
    case 'set':
      return { type: 'array', items: around.item(special.item), uniqueItems: true };
    case 'list':
      return { type: 'array', items: around.item(special.item) };
    case 'map':
      return mapSchema(special.key, special.value, around);
    case 'template':
      return textSchema(special.types.map(templatePattern));
    case 'iterable':
      return { type: 'array', ...(special.item ? { items: around.item(special.item) } : {}) };
    case 'same':
      return sameSchema(special.as, around);
    case 'parameter':
      around.report('TW_SCHEMA_TYPE_PARAMETER', `The compiler does not know ${special.name} here.`);
      return special.constraint ? around.define(special.constraint) : {};
    case 'any':
    case 'unknown':
      around.report('TW_SCHEMA_UNTYPED', `The type is ${special.kind}.`);
      return {};
    default:
      throw unsupported(special, around.name());
  }
}

/** The forms of a bigint in JSON. Beyond what a double can hold, only the text has all digits. */
export function formsOf(value: bigint): (number | string)[] {
  const number = Number(value);
  return Number.isSafeInteger(number) ? [number, String(value)] : [String(value)];
}

function textSchema([pattern, ...others]: string[]): Definition {
  const allOf = others.map((each) => ({ pattern: each }));
  return { type: 'string', pattern, ...(allOf.length > 0 ? { allOf } : {}) };
}

function unsupported(special: Extract<SpecialType, { kind: string }>, name: string): UnsupportedType {
  switch (special.kind) {
    case 'function':
      return new UnsupportedType('TW_SCHEMA_FUNCTION', `${name} is a function.`);
    case 'symbol':
      return new UnsupportedType('TW_SCHEMA_SYMBOL', `${name} is a symbol.`);
    case 'never':
      return new UnsupportedType('TW_SCHEMA_NEVER', 'The type is never.');
    case 'unresolved':
      return new UnsupportedType('TW_SCHEMA_UNRESOLVED_TYPE', 'The type cannot be resolved.');
    default: {
      const advice = special.kind === 'unsupported' && special.advice ? ` ${special.advice}` : '';
      return new UnsupportedType('TW_SCHEMA_UNSUPPORTED_TYPE', `${name} has no JSON form.${advice}`);
    }
  }
}

function sameSchema(type: ts.Type, around: Surroundings): Definition {
  const literal = literalOf(type);
  return literal === undefined ? around.define(type) : { type: typeof literal, const: literal };
}

/**
 * A map with string keys becomes an object, and literal keys become its properties. A map with other keys
 * becomes a list of pairs.
 */
function mapSchema(key: ts.Type, value: ts.Type, around: Surroundings): Definition {
  const keys = key.isUnion() ? key.types : [key];
  if (!keys.every((part) => isStringKey(part))) {
    const pair = [around.item(key), around.item(value)];
    return { type: 'array', items: { type: 'array', items: pair, minItems: 2, maxItems: 2 } };
  }
  const schema: Definition = { type: 'object', additionalProperties: around.define(value) };
  if (!(key.flags & ts.TypeFlags.String) || keptAlias(key)) {
    const names = around.define(key);
    if (Object.keys(names).some((keyword) => keyword !== 'type')) schema.propertyNames = names;
  }
  return schema;
}

/** Whether a map key is also text in JSON. */
export function isStringKey(key: ts.Type): boolean {
  if (key.isIntersection()) return key.types.some((part) => isStringKey(part));
  return !!(key.flags & ts.TypeFlags.StringLike);
}

/** For results, `toJSON()` decides what is sent. Arguments are built from the fields. */
export function serialised(
  type: ts.Type,
  checker: ts.TypeChecker,
): { kind: 'same'; as: ts.Type } | undefined {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return undefined;
  const method = type.getProperty('toJSON');
  const result = method && checker.getTypeOfSymbol(method).getCallSignatures()[0]?.getReturnType();
  return result && result !== type ? { kind: 'same', as: result } : undefined;
}
