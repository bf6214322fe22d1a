import type { Schema } from '../read/openapi-document.js';
import { isObject, type Specification } from '../read/specification.js';
import { isSecret } from './input-schemas.js';
import type { DetailLimits } from './detail.js';
import { alternativesOf, type JsonSchema, mergeAllOf, typesOf } from './schema-facts.js';
import { pascalCase, type NameSet, typeNameOf } from './words.js';

/** How much of an object a model sees: a result is full, its parts are summaries. */
type Fullness = 'full' | 'summary';

/** Deeper wrappers around what matters are not written by people. */
const DEEPEST = 5;

const USUAL =
  /^(?:id|key|name|title|number|state|status|type|kind|url|html_url|link|description|summary|text|content|value|email|login|username|count|total|amount|currency|date|message)$/i;
const TIMES = /^(?:created|updated|modified|due|start|end)(?:_?(?:at|on|date|time))?$/i;
const NOISE = /^(?:node_id|_links|links|self|etag|object)$|_url$|^url_|template$/i;

/**
 * The schemas of results. Each object has the fields that say the most, and its parts have fewer; nothing leads
 * further. An API often answers with more, less or null, so no field is required and no value is bounded.
 */
export class OutputSchemas {
  /** Shared objects by name, as `InputSchemas` has them. */
  readonly definitions = new Map<string, JsonSchema>();
  /** The fields that each shared object leaves out. */
  readonly leftOut = new Map<string, readonly string[]>();
  private readonly byKey = new Map<string, string>();

  constructor(
    private readonly specification: Specification,
    private readonly names: NameSet,
    private readonly limits: Pick<DetailLimits, 'result' | 'partOfResult'>,
  ) {}

  /** @param owner the name for an object that the specification gives no name */
  of(node: Schema | boolean | undefined, owner: string): JsonSchema {
    return this.value(node, { owner, fullness: 'full', depth: 0 }) ?? {};
  }

  private value(
    node: Schema | boolean | undefined,
    at: { owner: string; fullness: Fullness; depth: number },
  ): JsonSchema | undefined {
    if (!isObject(node) || at.depth > DEEPEST) return undefined;
    const { value, pointer } = this.specification.resolve<Schema>(node);
    const schema = this.joined(value, 0);
    const types = typesOf(schema);
    if (types.length > 1)
      return {
        anyOf: types.map(
          (type) =>
            scalarOf(type) ??
            (type === 'array'
              ? {
                  type,
                  items: this.value(schema.items, { ...at, fullness: 'summary', depth: at.depth + 1 }) ?? {},
                }
              : { type: 'object', additionalProperties: true }),
        ),
      };
    const [type] = types;
    if (type === 'array') return this.list(schema, at);
    if (type !== 'object') return type === undefined ? undefined : scalarOf(type);
    if (Object.keys(schema.properties ?? {}).length === 0)
      return { type: 'object', additionalProperties: true };
    const isNamed = pointer !== undefined && !/\/(?:schema|items|\d+)$/.test(pointer);
    return this.object(schema, {
      ...at,
      owner: isNamed ? pascalCase(typeNameOf(pointer)) : at.owner,
      pointer,
    });
  }

  private list(schema: Schema, at: { owner: string; fullness: Fullness; depth: number }): JsonSchema {
    const items = this.value(schema.items, { ...at, owner: `${at.owner}Item`, depth: at.depth + 1 });
    return { type: 'array', items: items ?? { type: 'object', additionalProperties: true } };
  }

  private object(
    schema: Schema,
    at: { owner: string; fullness: Fullness; depth: number; pointer: string | undefined },
  ): JsonSchema {
    const key = at.pointer === undefined ? undefined : `${at.pointer} ${at.fullness}`;
    const known = key === undefined ? undefined : this.byKey.get(key);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = this.names.take(at.fullness === 'full' ? at.owner : `${at.owner}Summary`);
    if (key !== undefined) this.byKey.set(key, name);
    const properties = this.fields(schema, { ...at, owner: name });
    const all = Object.keys(schema.properties ?? {});
    this.leftOut.set(
      name,
      all.filter((field) => !(field in properties)),
    );
    this.definitions.set(
      name,
      Object.keys(properties).length > 0
        ? { type: 'object', properties }
        : { type: 'object', additionalProperties: true },
    );
    return { $ref: `#/$defs/${name}` };
  }

  private fields(
    schema: Schema,
    { owner, fullness, depth }: { owner: string; fullness: Fullness; depth: number },
  ): Record<string, JsonSchema> {
    const room = fullness === 'full' ? this.limits.result : this.limits.partOfResult;
    const all = Object.entries(schema.properties ?? {}).filter(([name, each]) => isShown(name, each));
    const weigh = ([name]: [string, unknown]) => weightOf(name, schema.required?.includes(name) ?? false);
    const isPart = ([, each]: [string, Schema | boolean]) => this.isPart(each);
    const values = all.filter((each) => !isPart(each)).sort((a, b) => weigh(b) - weigh(a));
    const telling = values.filter((each) => weigh(each) >= 0);
    const scalars = (telling.length > 0 ? telling : values).slice(0, room.scalars);
    // An object of parts alone, such as `{ data: … }`, is a wrapper: without them nothing would be left.
    const parts = all
      .filter(isPart)
      .sort((a, b) => weigh(b) - weigh(a))
      .slice(0, scalars.length === 0 ? Math.max(room.parts, 1) : room.parts);
    const lists = parts.filter(([, each]) => this.isList(each));
    const isWrapper = lists.length === 1 && all.length <= 10;
    const chosen = new Map([...scalars, ...parts]);
    const found: Record<string, JsonSchema> = {};
    for (const [name, each] of all.filter(([name]) => chosen.has(name))) {
      const isMain = (isWrapper && lists[0]![0] === name) || (scalars.length === 0 && parts.length === 1);
      const part = this.value(each, {
        owner: owner + pascalCase(name),
        fullness: isMain && fullness === 'full' ? 'full' : 'summary',
        depth: depth + 1,
      });
      // The caller gets it, but the logs do not.
      if (part) found[name] = isSecret(name, part) ? { ...part, 'x-sensitive': true } : part;
    }
    return found;
  }

  /** Lists of lists may contain themselves: a value of JSON is described so. */
  private isPart(node: Schema | boolean, depth = 0): boolean {
    if (!isObject(node)) return false;
    if (depth > DEEPEST) return true;
    const schema = this.joined(this.specification.resolve<Schema>(node).value, 0);
    const types = typesOf(schema);
    if (types.includes('array')) return this.isPart(schema.items ?? false, depth + 1);
    return types.length === 1 && types[0] === 'object';
  }

  private isList(node: Schema | boolean): boolean {
    return isObject(node) && typesOf(this.specification.resolve<Schema>(node).value).includes('array');
  }

  /** One schema for all alternatives: their types together, and the properties of all. */
  private joined(schema: Schema, depth: number): Schema {
    const merged = mergeAllOf(this.specification, schema);
    const alternatives = merged.oneOf || merged.anyOf ? alternativesOf(merged) : [];
    if (alternatives.length === 0 || depth > 4) return merged;
    const { oneOf: _one, anyOf: _any, ...own } = merged;
    const all = [
      own,
      ...alternatives.map((each) => this.joined(this.specification.resolve<Schema>(each).value, depth + 1)),
    ];
    const types = [...new Set(all.flatMap(typesOf))];
    return {
      ...(types.length > 0 && { type: types }),
      ...(all.some(({ properties }) => properties) && {
        properties: Object.assign({}, ...all.map(({ properties }) => properties)) as Record<string, Schema>,
      }),
      ...(all.find(({ items }) => items)?.items !== undefined && {
        items: all.find(({ items }) => items)!.items!,
      }),
    };
  }
}

function isShown(name: string, node: Schema | boolean): boolean {
  return (
    node !== false &&
    name !== '__proto__' &&
    !(isObject(node) && (node.writeOnly === true || node.deprecated === true))
  );
}

function weightOf(name: string, isRequired: boolean): number {
  if (NOISE.test(name)) return -5;
  return (
    (isRequired ? 2 : 0) + (USUAL.test(name) ? 4 : TIMES.test(name) ? 3 : 0) + (/_?id$/i.test(name) ? 1 : 0)
  );
}

function scalarOf(type: string): JsonSchema | undefined {
  if (type === 'string' || type === 'boolean' || type === 'number' || type === 'integer') return { type };
  if (type === 'file') return { type: 'string' };
  return undefined;
}
