import { isSchema, type JsonSchema } from '../schema/json-schema.js';
import { oncePerSchema } from '../schema/once.js';
import { findDefinition } from '../schema/find-definition.js';
import { keywordsOf } from '../schema/keywords.js';
import { accepts } from '../validation/validator.js';
import { pointerToken } from '../base/json-values.js';
import type { Selection } from '../values/to-json.js';

type Schemas = readonly (JsonSchema | boolean)[];

/**
 * What a schema declares about its values. A schema that names properties declares these and no others. A
 * schema that describes all other properties, or names none, declares everything. In a choice, each
 * alternative that a value matches declares parts of it, as with `unevaluatedProperties` of 2020-12.
 */
interface DeclaredParts {
  /**
   * What any alternative declares. This is for values where it is not known yet which alternatives they
   * match.
   */
  readonly possible: Selection;
  /**
   * A copy of a JSON value without undeclared parts; the value itself if all parts are declared.
   *
   * @param onExtra gets the pointer of each part that is left out
   */
  select(json: unknown, onExtra?: (pointer: string) => void): unknown;
}

export const declaredParts = oncePerSchema((root): DeclaredParts => new Parts(root));

/** The places of a value, and the schemas that apply there. `undefined` allows any value. */
class Parts implements DeclaredParts {
  readonly #accepts = new WeakMap<JsonSchema, (value: unknown) => boolean>();

  constructor(private readonly root: JsonSchema) {}

  get possible(): Selection {
    return new PossibleParts(this, [this.root]);
  }

  select(json: unknown, onExtra?: (pointer: string) => void): unknown {
    return this.#select(json, [this.root], { pointer: '', onExtra });
  }

  #select(
    value: unknown,
    schemas: Schemas,
    at: { pointer: string; onExtra: ((pointer: string) => void) | undefined },
  ): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const isList = Array.isArray(value);
    const fits = oncePerSchema((branch) => this.#fits(branch, value));
    const found = this.expand(schemas, fits);
    if (!isList && !this.isClosed(schemas, fits)) return value;
    let isSame = true;
    const entries: [string, unknown][] = [];
    for (const [key, part] of Object.entries(value)) {
      const pointer = `${at.pointer}/${pointerToken(key)}`;
      const inside = isList ? itemSchemas(found, Number(key)) : propertySchemas(found, key);
      if (inside.length === 0 && !isList) {
        at.onExtra?.(pointer);
        isSame = false;
        continue;
      }
      const selected = this.#select(part, inside, { ...at, pointer });
      isSame &&= selected === part;
      entries.push([key, selected]);
    }
    if (isSame) return value;
    // Object.fromEntries defines properties, so a key `__proto__` stays a key.
    return isList ? entries.map(([, part]) => part) : Object.fromEntries(entries);
  }

  #fits(branch: JsonSchema, value: unknown): boolean {
    let check = this.#accepts.get(branch);
    if (!check) this.#accepts.set(branch, (check = accepts(standAlone(branch, this.root))));
    return check(value);
  }

  /** All schemas that apply to a value. */
  expand(schemas: Schemas, fits: (branch: JsonSchema) => boolean): ReadonlySet<JsonSchema> {
    const found = new Set<JsonSchema>();
    const visit = (schema: unknown) => {
      if (typeof schema !== 'object' || schema === null || found.has(schema as JsonSchema)) return;
      found.add(schema as JsonSchema);
      for (const each of this.#always(schema as JsonSchema)) visit(each);
      for (const each of branchesOf(schema as JsonSchema)) if (fits(each)) visit(each);
    };
    schemas.forEach(visit);
    return found;
  }

  /** Whether the schemas name properties, so that others are not declared. */
  isClosed(schemas: Schemas, fits: (branch: JsonSchema) => boolean): boolean {
    const known = new Map<JsonSchema, boolean>();
    const closes = (schema: JsonSchema): boolean => {
      const found = known.get(schema);
      if (found !== undefined) return found;
      // Set before the search, because a schema may refer to itself.
      known.set(schema, false);
      const isClosing =
        naming.some((keyword) => schema[keyword] !== undefined) ||
        this.#always(schema).some(closes) ||
        choices.some((keyword) =>
          closeTogether(listOf(schema[keyword]).filter((branch) => mayBeObject(branch) && fits(branch))),
        );
      known.set(schema, isClosing);
      return isClosing;
    };
    const closeTogether = (each: Schemas): boolean =>
      !each.some(isOpen) && each.some((schema) => typeof schema === 'object' && closes(schema));
    return closeTogether(schemas);
  }

  #always(schema: JsonSchema): JsonSchema[] {
    const targets = [schema.$ref, schema['$dynamicRef']].map((each) =>
      typeof each === 'string' ? this.#resolve(each) : undefined,
    );
    return [...targets.filter((each) => each !== undefined), ...listOf(schema.allOf)];
  }

  #resolve(reference: string): JsonSchema | undefined {
    return reference === '#' ? this.root : findDefinition(this.root, reference)?.schema;
  }
}

/** Whether a schema says at most that a value is an object, so that all its content is declared. */
function isOpen(schema: JsonSchema | boolean): boolean {
  if (typeof schema === 'boolean') return schema;
  const keywords = keywordsOf(schema);
  return keywords !== undefined && [...keywords].every((keyword) => keyword === 'type');
}

const naming = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'] as const;
const choices = ['anyOf', 'oneOf'] as const;

/** Schemas that apply to a value only if it matches them. For a condition, these are its branches. */
function branchesOf(schema: JsonSchema): JsonSchema[] {
  const { if: condition, then: yes, else: no, dependentSchemas } = schema as Record<string, unknown>;
  return [
    ...listOf(schema.anyOf),
    ...listOf(schema.oneOf),
    ...[condition, yes, no].filter(isSchema),
    ...Object.values((dependentSchemas ?? {}) as object).filter(isSchema),
  ];
}

function mayBeObject({ type, enum: values, const: only }: JsonSchema): boolean {
  if (type !== undefined) return [type].flat().includes('object');
  const constants = values ?? (only === undefined ? undefined : [only]);
  return !constants || constants.some((value) => typeof value === 'object' && value !== null);
}

function propertySchemas(schemas: Iterable<JsonSchema>, name: string): (JsonSchema | boolean)[] {
  const found: (JsonSchema | boolean)[] = [];
  let isRequired = false;
  for (const { properties = {}, patternProperties = {}, ...schema } of schemas) {
    isRequired ||= schema.required?.includes(name) === true;
    const named = Object.hasOwn(properties, name) ? [properties[name]!] : [];
    const patterned = Object.entries(patternProperties).flatMap(([pattern, each]) =>
      new RegExp(pattern, 'u').test(name) ? [each] : [],
    );
    found.push(...named, ...patterned);
    if (named.length + patterned.length > 0) continue;
    const others = [schema.additionalProperties, schema['unevaluatedProperties']];
    found.push(...(others.filter((each) => each === true || isSchema(each)) as (JsonSchema | boolean)[]));
  }
  // Without what a schema requires, no value would fit it.
  return found.length === 0 && isRequired ? [true] : found;
}

function itemSchemas(schemas: Iterable<JsonSchema>, index: number): (JsonSchema | boolean)[] {
  const found: (JsonSchema | boolean)[] = [];
  for (const { prefixItems = [], items, ...schema } of schemas) {
    const each = prefixItems[index] ?? items ?? schema['unevaluatedItems'];
    if (each !== undefined && each !== false) found.push(each as JsonSchema);
    if (isSchema(schema['contains'])) found.push(schema['contains']);
  }
  return found;
}

/** What any alternative declares, while it is not known which of them a value matches. */
class PossibleParts implements Selection {
  readonly #found: ReadonlySet<JsonSchema>;
  readonly #isClosed: boolean;
  readonly #inside = new Map<string | number, Selection | boolean>();

  constructor(
    private readonly parts: Parts,
    schemas: Schemas,
  ) {
    this.#found = parts.expand(schemas, () => true);
    this.#isClosed = parts.isClosed(schemas, () => true);
  }

  property(name: string): Selection | boolean {
    if (!this.#isClosed) return true;
    return this.#at(name, () => propertySchemas(this.#found, name)) ?? false;
  }

  item(index: number): Selection | boolean {
    return this.#at(index, () => itemSchemas(this.#found, index)) ?? true;
  }

  #at(key: string | number, schemas: () => Schemas): Selection | boolean | undefined {
    const known = this.#inside.get(key);
    if (known !== undefined) return known;
    const inside = schemas();
    if (inside.length === 0) return undefined;
    const selection = inside.includes(true) ? true : new PossibleParts(this.parts, inside);
    // A schema has few names and positions. A map or list can have any number of them.
    if (this.#inside.size < 100) this.#inside.set(key, selection);
    return selection;
  }
}

function listOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** Turns a schema inside a document into a separate document with the same meaning of references. */
export function standAlone(part: JsonSchema, root: JsonSchema): JsonSchema {
  if (part === root) return root;
  const { $defs } = root;
  const alone = $defs ? { ...part, $defs } : part;
  // In schemas of the compiler, all references lead to definitions.
  if (!leadsElsewhere(part) && !($defs && leadsElsewhere($defs as JsonSchema))) return alone;
  return redirect({ ...alone, $defs: { ...$defs, [WHOLE]: root } });
}

/** This is called for each part of a document. Its definitions, often most of it, are read once. */
const leadsElsewhere = oncePerSchema((schema) => /"\$ref":"#(?!\/\$defs\/)/.test(JSON.stringify(schema)));

/** The name of the whole document among the definitions. */
const WHOLE = 'toolwright.document';

function redirect(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (keyword, value: unknown) =>
    keyword === '$ref' && typeof value === 'string' && /^#(?:$|\/(?!\$defs\/))/.test(value)
      ? `#/$defs/${WHOLE}${value.slice(1)}`
      : value,
  );
  return JSON.parse(text) as JsonSchema;
}
