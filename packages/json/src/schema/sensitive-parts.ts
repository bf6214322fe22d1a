import { pointerToken, pointerTokens, isComposed } from '../base/json-values.js';
import { isSensitive, partsOf, traitsOf, values } from './keywords.js';
import { HOLDERS, type JsonSchema } from './json-schema.js';
import { oncePerSchema } from './once.js';
import { SchemaPlaces, type Schemas } from './schema-places.js';

/** Replaces a value that must not be repeated. */
export const HIDDEN = '[sensitive]';

/** Where a schema has sensitive parts. */
export interface SensitiveParts {
  /**
   * A copy of a value with its sensitive parts hidden. Parts that do not have the form of the schema are
   * hidden as well.
   */
  hide(value: unknown): unknown;
  /** The sensitive texts, numbers and booleans of a value. */
  secretsOf(value: unknown): string[];
  /** Whether the value at a JSON pointer is sensitive, or contains a sensitive value. */
  covers(pointer: string): boolean;
  /** The pointer up to the first key inside a sensitive value. */
  shorten(pointer: string): string;
}

/** @returns undefined if nothing is sensitive, as in most schemas */
export const sensitiveParts = oncePerSchema((schema): SensitiveParts | undefined => {
  return partsOf(schema).some((part) => traitsOf(part).hasSensitive) ? new Parts(schema) : undefined;
});

/**
 * Asks whether a value that the author wrote at a part of a schema shows a sensitive value.
 *
 * @returns undefined if nothing is sensitive
 */
export function holdsSensitive(
  root: JsonSchema,
): ((part: JsonSchema, value: unknown) => boolean) | undefined {
  if (!partsOf(root).some((part) => traitsOf(part).hasSensitive)) return undefined;
  const parts = new Parts(root);
  return (part, value) => parts.holdsSensitive(part, value);
}

/**
 * A copy of arguments without their sensitive values, and without every value that the schema does not declare. A
 * client that misspells the name of a password sends such a value, and no mark says that it is one.
 */
export function hideUndeclared(schema: JsonSchema, value: unknown): unknown {
  return undeclaredParts(schema).hideUndeclared(value, () => HIDDEN);
}

/** The texts, numbers and booleans that `hideUndeclared` leaves out of arguments. */
export function undeclaredSecretsOf(schema: JsonSchema, value: unknown): string[] {
  const found = new Set<string>();
  undeclaredParts(schema).hideUndeclared(value, collectorOf(found));
  return [...found];
}

/** Every text, number and boolean in a value, at any depth, as texts. */
export function leavesOf(value: unknown): string[] {
  const found = new Set<string>();
  collectorOf(found)(value);
  return [...found];
}

function collectorOf(found: Set<string>): (part: unknown) => string {
  return function collect(part) {
    if (typeof part === 'object' && part !== null) Object.values(part).forEach(collect);
    else if (part !== null && part !== undefined) found.add(String(part));
    return HIDDEN;
  };
}

const undeclaredParts = oncePerSchema((schema) => new Parts(schema));

/** What takes the place of a part that must not be repeated. */
type Replace = (part: unknown) => unknown;

class Parts extends SchemaPlaces implements SensitiveParts {
  readonly #holding = new WeakMap<JsonSchema, boolean>();

  hide(value: unknown): unknown {
    return this.#walk(value, this.first(), () => HIDDEN);
  }

  hideUndeclared(value: unknown, replace: Replace): unknown {
    if (!isComposed(value) || Array.isArray(value)) return replace(value);
    const root = this.first();
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, this.#declared(part, this.child(root, key), replace)]),
    );
  }

  secretsOf(value: unknown): string[] {
    const found = new Set<string>();
    this.#walk(value, this.first(), collectorOf(found));
    return [...found];
  }

  holdsSensitive(part: JsonSchema, value: unknown): boolean {
    const visit = (at: unknown, schemas: Schemas): boolean =>
      schemas.some(isSensitive) ||
      (typeof at === 'object' &&
        at !== null &&
        Object.entries(at).some(([key, inner]) => visit(inner, this.child(schemas, key))));
    return visit(value, this.expand([part]));
  }

  covers(pointer: string): boolean {
    let schemas = this.first();
    for (const token of pointerTokens(pointer)) {
      if (schemas.some(isSensitive)) return true;
      schemas = this.child(schemas, token);
    }
    return schemas.some((schema) => this.#holds(schema));
  }

  shorten(pointer: string): string {
    let schemas = this.first();
    let known = '';
    for (const token of pointerTokens(pointer)) {
      if (schemas.some(isSensitive)) return known;
      known += `/${pointerToken(token)}`;
      schemas = this.child(schemas, token);
    }
    return known;
  }

  #walk(value: unknown, schemas: Schemas, replace: Replace): unknown {
    if (schemas.some(isSensitive)) return replace(value);
    if (!schemas.some((schema) => this.#holds(schema))) return value;
    if (value === null || value === undefined) return value;
    // A text in the place of an object with sensitive parts may contain them as text.
    if (typeof value !== 'object') return replace(value);
    if (Array.isArray(value))
      return value.map((part, index) => this.#walk(part, this.child(schemas, String(index)), replace));
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, this.#walk(part, this.child(schemas, key), replace)]),
    );
  }

  /** @param schemas the schemas of the place; none if nobody declared it */
  #declared(value: unknown, schemas: Schemas, replace: Replace): unknown {
    if (schemas.length === 0 || schemas.some(isSensitive)) return replace(value);
    if (!isComposed(value)) return this.#walk(value, schemas, replace);
    // The schema declares nothing inside, so the author wants any value there, and none is secret.
    if (schemas.every(isOpen) && schemas.some((schema) => allows(schema, value))) return value;
    const parts = Object.entries(value).map(
      ([key, part]) => [key, this.#declared(part, this.child(schemas, key), replace)] as const,
    );
    return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  }

  /** Whether a schema, or a schema inside it, is sensitive. */
  #holds(schema: JsonSchema): boolean {
    const known = this.#holding.get(schema);
    if (known !== undefined) return known;
    // Set before the search, because a schema may refer to itself.
    this.#holding.set(schema, false);
    const seen = new Set<unknown>();
    const visit = (node: unknown): boolean => {
      if (typeof node !== 'object' || node === null || seen.has(node)) return false;
      seen.add(node);
      if (Array.isArray(node)) return node.some(visit);
      if (isSensitive(node as JsonSchema)) return true;
      if (this.targetsOf(node as JsonSchema).some(visit)) return true;
      return Object.entries(node).some(([keyword, value]) => {
        if (data.has(keyword)) return false;
        return HOLDERS.maps.has(keyword) ? Object.values(value as object).some(visit) : visit(value);
      });
    };
    const holds = visit(schema);
    this.#holding.set(schema, holds);
    return holds;
  }
}

/** Keywords with data, or with definitions that only count where a reference leads to them. */
const data = new Set([...values, 'required', '$defs', 'definitions']);

/** Keywords that say something of the parts of a value, here or elsewhere. */
const describing = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'prefixItems',
  'items',
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'contains',
];

function isOpen(schema: JsonSchema): boolean {
  return !describing.some((keyword) => Object.hasOwn(schema, keyword));
}

function allows({ type }: JsonSchema, value: object): boolean {
  const form = Array.isArray(value) ? 'array' : 'object';
  return type === undefined || [type].flat().includes(form);
}
