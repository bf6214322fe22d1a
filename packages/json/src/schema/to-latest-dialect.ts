import { decodeUri } from '../addresses/uri-text.js';
import { pointerToken, pointerTokens } from '../base/json-values.js';
import { HOLDERS, isSchema, type JsonSchema, type AnySchema } from './json-schema.js';
import { type Dialect, olderDialect, visitKeywords } from './keywords.js';
import { oncePerSchema } from './once.js';
import { type ReferenceTarget, SchemaDocument } from './schema-document.js';

/**
 * Converts a schema to 2020-12, which clients of every revision read. It converts draft-04, -06, -07 and
 * 2019-09, and schemas without a draft that use keywords which 2020-12 no longer has. The result accepts the
 * same values. Ids and anchors are removed, because only references needed them, and these now lead to
 * `$defs`.
 *
 * @returns the same schema if nothing changes; unknown drafts stay as they are
 */
export const toLatestDialect: (schema: AnySchema) => JsonSchema = oncePerSchema((schema): JsonSchema => {
  const dialect = findDialect(schema);
  return dialect ? new Rewriting(schema, dialect).run() : schema;
});

function findDialect(schema: JsonSchema): Dialect | undefined {
  let found: Dialect | undefined;
  visitKeywords(schema, (keyword, value) => {
    if (keyword === '$schema') found ??= olderDialect(value);
    const isOld =
      (keyword === 'items' && Array.isArray(value)) ||
      (keyword.startsWith('exclusive') && typeof value === 'boolean');
    if (isOld && schema.$schema === undefined) found ??= { ignoresSiblings: false };
  });
  return found;
}

/** Keywords that explain a value and forbid nothing. */
const descriptive = new Set(
  'title description default examples deprecated readOnly writeOnly $comment definitions $defs'.split(' '),
);
/** Keywords that are rewritten below, or that are useless once references lead to `$defs`. */
const REPLACED = new Set(
  '$schema $id id $anchor $recursiveAnchor $recursiveRef $ref definitions $defs items additionalItems dependencies'.split(
    ' ',
  ),
);

class Rewriting {
  readonly #root: JsonSchema;
  readonly #dialect: Dialect;
  readonly #document: SchemaDocument;
  readonly #definitions: Record<string, JsonSchema> = {};
  readonly #names = new Map<JsonSchema | boolean, string>();

  constructor(root: JsonSchema, dialect: Dialect) {
    this.#root = root;
    this.#dialect = dialect;
    this.#document = SchemaDocument.of(root);
  }

  run(): JsonSchema {
    const schema = this.#rewrite(this.#root);
    const definitions = { ...(this.#root['definitions'] as JsonSchema['$defs']), ...this.#root.$defs };
    for (const [name, definition] of Object.entries(definitions))
      if (isSchema(definition)) this.#define(name, definition);
    return Object.keys(this.#definitions).length > 0 ? { ...schema, $defs: this.#definitions } : schema;
  }

  #rewrite(schema: JsonSchema): JsonSchema {
    const { $ref } = schema;
    const reference = typeof $ref === 'string' ? { $ref: this.#refer($ref, schema) } : {};
    const isAlone = typeof $ref === 'string' && this.#dialect.ignoresSiblings;
    const kept = isAlone
      ? Object.fromEntries(Object.entries(schema).filter(([keyword]) => descriptive.has(keyword)))
      : schema;
    return { ...reference, ...this.#rewriteKeywords(kept) };
  }

  #rewriteKeywords(schema: JsonSchema): JsonSchema {
    const written: JsonSchema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      // A property of data may be named `id`. As a keyword, its value is a text.
      if (REPLACED.has(keyword) && (keyword !== 'id' || typeof value === 'string')) continue;
      if (HOLDERS.single.has(keyword)) written[keyword] = this.#rewriteAny(value);
      else if (HOLDERS.lists.has(keyword) && Array.isArray(value))
        written[keyword] = value.map((each) => this.#rewriteAny(each));
      else if (HOLDERS.maps.has(keyword) && isSchema(value)) written[keyword] = this.#rewriteAll(value);
      else written[keyword] = value;
    }
    if (schema['$recursiveRef'] !== undefined) written.$ref = '#';
    this.#rewriteItems(schema, written);
    this.#rewriteDependencies(schema, written);
    rewriteLimit(written, 'minimum', 'exclusiveMinimum');
    rewriteLimit(written, 'maximum', 'exclusiveMaximum');
    return written;
  }

  /**
   * If `items` was a list of schemas, it has become `prefixItems`, and `additionalItems` is now named
   * `items`.
   */
  #rewriteItems({ items, additionalItems }: JsonSchema, written: JsonSchema): void {
    if (Array.isArray(items)) {
      if (items.length > 0) written.prefixItems = items.map((each) => this.#rewriteAny(each)) as JsonSchema[];
      if (additionalItems !== undefined) written.items = this.#rewriteAny(additionalItems) as JsonSchema;
    } else if (items !== undefined) written.items = this.#rewriteAny(items) as JsonSchema;
  }

  #rewriteDependencies({ dependencies }: JsonSchema, written: JsonSchema): void {
    if (!isSchema(dependencies)) return;
    const entries = Object.entries(dependencies);
    const lists = entries.filter(([, value]) => Array.isArray(value));
    const schemas = entries.filter(([, value]) => !Array.isArray(value));
    if (lists.length > 0)
      written['dependentRequired'] = {
        ...(written['dependentRequired'] as object),
        ...Object.fromEntries(lists),
      };
    if (schemas.length > 0)
      written['dependentSchemas'] = {
        ...(written['dependentSchemas'] as object),
        ...this.#rewriteAll(Object.fromEntries(schemas)),
      };
  }

  #rewriteAny(value: unknown): unknown {
    return isSchema(value) ? this.#rewrite(value) : value;
  }

  #rewriteAll(schemas: object): Record<string, JsonSchema> {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.#rewriteAny(schema) as JsonSchema]),
    );
  }

  /**
   * A reference to a place in the document becomes a reference to a definition, because places change and
   * definitions do not.
   */
  #refer(reference: string, from: JsonSchema): string {
    const document = this.#document;
    const target = document.resolve(reference, document.resourceOf(from) ?? document.main);
    if (target?.schema === this.#root) return '#';
    // What leads into another document stays, and so does what leads nowhere: the boot reports it.
    if (target?.resource.document !== document) return reference;
    const name = this.#define(nameOf(reference, target), target.schema);
    return `#/$defs/${encodeURIComponent(pointerToken(name))}`;
  }

  #define(wanted: string, schema: JsonSchema | boolean): string {
    const known = this.#names.get(schema);
    if (known !== undefined) return known;
    let name = wanted;
    for (let count = 2; Object.hasOwn(this.#definitions, name); count++) name = `${wanted}_${count}`;
    this.#names.set(schema, name);
    // The name is set before the definition is written, because the definition may refer to itself.
    this.#definitions[name] = typeof schema === 'boolean' ? (schema as never) : {};
    if (isSchema(schema)) Object.assign(this.#definitions[name]!, this.#rewrite(schema));
    return name;
  }
}

/** A name for the target of a reference: the last part of what leads there. */
function nameOf(reference: string, { anchor, resource }: ReferenceTarget): string {
  if (anchor !== undefined) return anchor;
  const [address, fragment = ''] = reference.split('#');
  const path = pointerTokens(decodeUri(fragment));
  if (path.length === 0) return decodeUri((address || resource.address).split(/[/:]/).at(-1)!) || 'root';
  const isNamed = path.length === 2 && (path[0] === 'definitions' || path[0] === '$defs');
  return isNamed ? path[1]! : path.join('.');
}

/** In draft-04, `exclusiveMinimum: true` makes `minimum` exclusive. */
function rewriteLimit(
  schema: JsonSchema,
  limit: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): void {
  const isExclusive: unknown = schema[exclusive];
  if (typeof isExclusive !== 'boolean') return;
  delete schema[exclusive];
  const value = schema[limit];
  if (!isExclusive || value === undefined) return;
  delete schema[limit];
  schema[exclusive] = value;
}
