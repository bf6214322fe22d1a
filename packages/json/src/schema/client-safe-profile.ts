import { oncePerSchema } from './once.js';
import { inlineReferences } from './inline-references.js';
import { anyObjectOf, both } from './join-schemas.js';
import { type JsonSchema, isSchema } from './json-schema.js';
import { withPlainReferences } from './plain-references.js';
import { definitionsOf, reachedFrom, referenceName } from './references.js';
import { withSingleTypes } from './typed-schema.js';
import { closeOthers, weaken } from './weaker-schema.js';

interface ClientSafeOptions {
  role: 'input' | 'output';
}

/**
 * The form of a schema that clients and model providers accept: no references while it stays small without
 * them, no choice at the root of an input, no conditions, no lists of types, no tuples.
 *
 * This is only for publishing. Arguments and results are validated with the exact schema. Whatever the published schema
 * refuses, the exact one refuses, too: a client that checks arguments must not refuse what the server takes. So a keyword
 * that cannot stay becomes a weaker one, or words. An input is about arguments, which are always objects.
 *
 * @param schema complete 2020-12 schema; it is not changed
 */
export function toClientSafe(schema: JsonSchema, { role }: ClientSafeOptions): JsonSchema {
  return profiles[role](schema);
}

const profiles = { input: profileOf('input'), output: profileOf('output') };

type Definitions = Readonly<Record<string, JsonSchema>>;

/** The schemas of a manifest share definitions, and each definition is simplified once. */
function profileOf(role: ClientSafeOptions['role']): (schema: JsonSchema) => JsonSchema {
  return oncePerSchema((schema) => {
    const published = publish(schema, role);
    // Without what was left out, it may be small enough to need no references.
    return published.$defs ? publish(published, role) : published;
  });
}

const simplify = oncePerSchema((schema) => withSingleTypes(weaken(schema)));

function publish(schema: JsonSchema, role: ClientSafeOptions['role']): JsonSchema {
  const { $defs: definitions = {}, ...root } = inlineReferences(withPlainReferences(withoutFlags(schema)));
  const shown = role === 'input' ? withSingleTypes(asArguments(root, definitions)) : simplify(root);
  const simple = Object.fromEntries(
    Object.entries(definitions).map(([name, each]) => [name, simplify(each)]),
  );
  const kept = [...reachedFrom(shown, simple)].map((name) => [name, simple[name]!] as const);
  return kept.length > 0 ? { ...shown, $defs: Object.fromEntries(kept) } : shown;
}

/** A schema whose definitions are all objects: `true` and `false` accept everything in what is published. */
function withoutFlags(schema: JsonSchema): JsonSchema {
  const definitions = Object.entries(definitionsOf(schema));
  if (definitions.every(([, each]) => isSchema(each))) return schema;
  const { definitions: _older, ...others } = schema;
  return {
    ...others,
    $defs: Object.fromEntries(definitions.map(([name, each]) => [name, isSchema(each) ? each : {}])),
  };
}

/**
 * One object for an input whose root is a choice or a combination of objects: it has the properties of all alternatives,
 * and a property is required if every alternative requires it. Clients refuse `anyOf`, `oneOf`, `allOf`, `enum` and
 * `not` at the root. The exact schema still decides which arguments are valid.
 */
function asArguments(root: JsonSchema, definitions: Definitions): JsonSchema {
  const opened = new Map<string, JsonSchema>();
  const open = (name: string): JsonSchema => {
    const known = opened.get(name);
    if (known) return known;
    // A definition that leads back to itself says nothing more there.
    opened.set(name, {});
    const found =
      Object.hasOwn(definitions, name) && isSchema(definitions[name]) ? join(definitions[name]) : {};
    opened.set(name, found);
    return found;
  };
  const join = (schema: unknown): JsonSchema => {
    if (!isSchema(schema)) return {};
    const { allOf = [], anyOf, oneOf, $ref, unevaluatedProperties: _others, ...own } = schema;
    const name = referenceName(schema);
    const parts = [weaken(own), ...(name === undefined ? [] : [open(name)]), ...allOf.map(join)];
    for (const choice of [anyOf, oneOf])
      if (choice)
        parts.push(anyObjectOf((choice as unknown[]).filter((option) => option !== false).map(join)));
    return closeOthers(schema, parts.reduce(both));
  };
  const { enum: _enum, const: _const, allOf: _patterns, ...object } = join(root);
  return { ...object, type: 'object' };
}
