import { type NameSet, pascalName } from '@toolwright/json';
import type { Schema } from '../read/openapi-document.js';
import { isHidden } from '../read/shape-values.js';
import { isObject, type Specification } from '../read/specification.js';
import type { DetailLimits } from './detail.js';
import { itemsOf, joinAlternatives } from './join-alternatives.js';
import { isWhole, longAnswer, mayBeLong } from './long-integers.js';
import { OPEN, orNull } from './open-forms.js';
import {
  isNullable,
  isObjectMap,
  type JsonSchema,
  typesOf,
  withSiblings,
  wrappedReference,
} from './schema-facts.js';
import { isSecret } from './secret-names.js';
import { typeNameOf } from './words.js';

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
    return this.value(node, { owner, fullness: 'full', depth: 0 });
  }

  /** Whether null is an answer, or an item of a list. Members that are null are left out of every object. */
  isNullable(node: Schema | boolean | undefined): boolean {
    return isObject(node) && isNullable(this.joined(node));
  }

  private value(
    node: Schema | boolean | undefined,
    at: { owner: string; fullness: Fullness; depth: number },
  ): JsonSchema {
    if (!isObject(node)) return {};
    const given = withSiblings(node);
    const { pointer } = this.specification.resolve<Schema>(wrappedReference(given) ?? given);
    const schema = this.joined(given);
    const types = typesOf(schema);
    const [type] = types;
    if (type === undefined) return schema.type === 'null' ? { type: 'null' } : {};
    const forms = types.map((each) =>
      this.ofType(each, schema, { ...at, pointer, isOnly: types.length === 1 }),
    );
    if (forms.length === 1) return forms[0]!;
    return forms.some((form) => Object.keys(form).length === 0) ? {} : { anyOf: forms };
  }

  private ofType(
    type: string,
    schema: Schema,
    at: { owner: string; fullness: Fullness; depth: number; pointer: string | undefined; isOnly: boolean },
  ): JsonSchema {
    const isDeep = at.depth > DEEPEST;
    if (type === 'array') {
      if (isDeep) return { type, items: {} };
      return this.list(schema, at.isOnly ? at : { ...at, fullness: 'summary' });
    }
    if (isWhole(type, schema) && mayBeLong(schema) && !typesOf(schema).includes('string'))
      return longAnswer();
    if (type !== 'object') return scalarOf(type) ?? {};
    const { pointer } = at;
    if (isDeep || !at.isOnly || Object.keys(schema.properties ?? {}).length === 0) return OPEN;
    const isNamed = pointer !== undefined && !/\/(?:schema|items|\d+)$/.test(pointer);
    return this.object(schema, { ...at, owner: isNamed ? pascalName(typeNameOf(pointer)) : at.owner });
  }

  private list(schema: Schema, at: { owner: string; fullness: Fullness; depth: number }): JsonSchema {
    const node = itemsOf(schema);
    const items = this.value(node, { ...at, owner: `${at.owner}Item`, depth: at.depth + 1 });
    return { type: 'array', items: this.isNullable(node) ? orNull(items) : items };
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
    const isOpen = Object.keys(properties).length === 0 || isObjectMap(schema);
    const isShown = (field: string) => isOpen || Object.hasOwn(properties, field);
    this.leftOut.set(
      name,
      all.filter((field) => !isShown(field)),
    );
    this.definitions.set(name, {
      ...(Object.keys(properties).length === 0 ? OPEN : { type: 'object', properties }),
      ...(isOpen && { additionalProperties: true }),
    });
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
        owner: owner + pascalName(name),
        fullness: isMain && fullness === 'full' ? 'full' : 'summary',
        depth: depth + 1,
      });
      if (part.type === 'null') continue;
      // The caller gets it, but the logs do not.
      // Validators of clients find such a member in every object, because its prototype has it.
      found[name] =
        name in Object.prototype ? {} : isSecret(name, part) ? { ...part, 'x-sensitive': true } : part;
    }
    return found;
  }

  /** Lists of lists may contain themselves: a value of JSON is described so. */
  private isPart(node: Schema | boolean, depth = 0): boolean {
    if (!isObject(node)) return false;
    if (depth > DEEPEST) return true;
    const schema = this.joined(node);
    const types = typesOf(schema);
    if (types.includes('array')) return this.isPart(schema.items ?? false, depth + 1);
    return types.length === 1 && types[0] === 'object';
  }

  private isList(node: Schema | boolean): boolean {
    return isObject(node) && typesOf(this.specification.resolve<Schema>(node).value).includes('array');
  }

  private joined(node: Schema): Schema {
    return joinAlternatives(this.specification, this.specification.resolve<Schema>(withSiblings(node)).value);
  }
}

function isShown(name: string, node: Schema | boolean): boolean {
  return (
    node !== false &&
    name !== '__proto__' &&
    !isHidden(name) &&
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
