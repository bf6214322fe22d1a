import type { JsonSchema } from '@toolwright/manifest';
import type { Definition } from '../types/tjs-internals.js';

const REF = '#/definitions/';
const SINGLE = ['additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const MAPS = ['properties', 'patternProperties'] as const;

/**
 * Turns typescript-json-schema's draft-07 into self-contained 2020-12: references are inlined, since many clients do
 * not follow them, except where a type contains itself; tuples become `prefixItems`.
 */
export function finishSchema(root: Definition, definitions: Record<string, Definition>): JsonSchema {
  return new Finisher(definitions).finish(root);
}

class Finisher {
  private readonly recursive: Set<string>;
  private readonly defs: Record<string, JsonSchema> = {};
  private readonly names = new Map<string, string>();

  constructor(private readonly definitions: Record<string, Definition>) {
    this.recursive = findRecursive(definitions);
  }

  finish(root: Definition): JsonSchema {
    const schema = this.convertRoot(root);
    return this.names.size > 0 ? { ...schema, $defs: this.defs } : schema;
  }

  /** A root that is a reference shows its own type once, so that clients find `type: object` where they look. */
  private convertRoot(root: Definition): JsonSchema {
    const name = refName(root);
    if (name === undefined) return this.convert(root);
    const { $ref: _ref, ...siblings } = root;
    return this.merge(this.convertRoot(this.definitions[name] ?? {}), siblings);
  }

  private convert(node: Definition): JsonSchema {
    const name = refName(node);
    if (name === undefined) return this.convertKeywords(node);
    const { $ref: _ref, ...siblings } = node;
    const target = this.definitions[name];
    if (!target) return this.convertKeywords(siblings);
    if (this.recursive.has(name)) return this.merge({ $ref: this.define(name, target) }, siblings);
    return this.merge(this.convert(target), siblings);
  }

  private merge(schema: JsonSchema, siblings: Definition): JsonSchema {
    return { ...schema, ...this.convertKeywords(siblings) };
  }

  private define(name: string, target: Definition): string {
    let short = this.names.get(name);
    if (short === undefined) {
      short = this.uniqueName(name);
      this.names.set(name, short);
      this.defs[short] = {};
      this.defs[short] = this.convert(target);
    }
    return `#/$defs/${short}`;
  }

  private uniqueName(name: string): string {
    const plain = name.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '') || 'Type';
    const taken = new Set(this.names.values());
    for (let count = 1; ; count++) {
      const candidate = count === 1 ? plain : `${plain}_${count}`;
      if (!taken.has(candidate)) return candidate;
    }
  }

  private convertKeywords(node: Definition): JsonSchema {
    const schema: JsonSchema = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword !== 'definitions' && keyword !== 'additionalItems' && !keyword.startsWith('~'))
        schema[keyword] = value;
    }
    for (const key of MAPS) {
      const map = node[key] as Record<string, Definition> | undefined;
      if (map) schema[key] = mapValues(map, (value) => this.convertAny(value) as JsonSchema);
    }
    for (const key of LISTS) {
      const list = node[key] as Definition[] | undefined;
      if (list) schema[key] = list.map((value) => this.convert(value));
    }
    for (const key of SINGLE) if (isObject(node[key])) schema[key] = this.convert(node[key]);
    this.convertItems(node, schema);
    return schema;
  }

  private convertItems(node: Definition, schema: JsonSchema): void {
    const { items, additionalItems } = node;
    if (Array.isArray(items)) {
      delete schema.items;
      schema.prefixItems = (items as Definition[]).map((value) => this.convert(value));
    } else if (isObject(items)) schema.items = this.convert(items);
    if (additionalItems !== undefined)
      schema.items = this.convertAny(additionalItems as Definition | boolean);
  }

  private convertAny(value: Definition | boolean): JsonSchema | boolean {
    return typeof value === 'boolean' ? value : this.convert(value);
  }
}

function refName(node: Definition): string | undefined {
  const { $ref } = node;
  return typeof $ref === 'string' && $ref.startsWith(REF)
    ? decodeURIComponent($ref.slice(REF.length))
    : undefined;
}

function findRecursive(definitions: Record<string, Definition>): Set<string> {
  const uses = new Map(Object.entries(definitions).map(([name, schema]) => [name, collectRefs(schema)]));
  const reaches = (from: string, target: string): boolean => {
    const seen = new Set<string>();
    const queue = [...(uses.get(from) ?? [])];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (name === target) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      queue.push(...(uses.get(name) ?? []));
    }
    return false;
  };
  return new Set([...uses.keys()].filter((name) => reaches(name, name)));
}

function collectRefs(schema: Definition): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isObject(value)) {
      const name = refName(value);
      if (name !== undefined) found.add(name);
      Object.values(value).forEach(visit);
    }
  };
  visit(schema);
  return found;
}

function mapValues<A, B>(map: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

function isObject(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
