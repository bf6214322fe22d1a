import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@toolwright/manifest';
import type { Impact } from './change.js';
import { compareKeywords, type Direction } from './compare-keywords.js';

export interface SchemaChange {
  impact: Impact;
  path: string;
  message: string;
}

/** What callers do with values of the schema: send them, or read them. */
export type Role = 'input' | 'output';

type Schema = JsonSchema | boolean | undefined;

/**
 * Lists what changed between two schemas. Of an input, allowing less breaks callers; of an output, promising less does.
 */
export function compareSchemas(before: JsonSchema, after: JsonSchema, role: Role): SchemaChange[] {
  return new Comparison(before, after, role).run();
}

class Comparison {
  private readonly changes: SchemaChange[] = [];
  /** Pairs of definitions on the way down: recursion ends where it meets itself. */
  private readonly open = new Set<string>();

  constructor(
    private readonly before: JsonSchema,
    private readonly after: JsonSchema,
    private readonly role: Role,
  ) {}

  run(): SchemaChange[] {
    this.compare(this.before, this.after, '');
    return this.changes;
  }

  private compare(before: Schema, after: Schema, path: string): void {
    if (isDeepStrictEqual(before, after) && !this.hasReferences) return;
    const pair = `${refOf(before)} ${refOf(after)}`;
    const isReference = refOf(before) !== undefined || refOf(after) !== undefined;
    if (isReference && this.open.has(pair)) return;
    if (isReference) this.open.add(pair);
    this.compareResolved(resolve(before, this.before), resolve(after, this.after), path);
    if (isReference) this.open.delete(pair);
  }

  private compareResolved(before: JsonSchema, after: JsonSchema, path: string): void {
    for (const { direction, message } of compareKeywords(before, after)) this.note(direction, path, message);
    this.compareText(before, after, path);
    this.compareProperties(before, after, path);
    this.compareOptions(before, after, path);
    this.compareInner(before.items, after.items, `${path}/items`);
    const [old = [], now = []] = [before.prefixItems, after.prefixItems];
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      this.compareInner(old[index], now[index], `${path}/prefixItems/${index}`);
    }
  }

  /** An absent schema inside an array or object allows everything. */
  private compareInner(before: Schema, after: Schema, path: string): void {
    if (before === undefined && after === undefined) return;
    if (before === false || after === false) {
      if (before !== after) this.note(after === false ? 'narrowed' : 'widened', path, allowed(after));
      return;
    }
    this.compare(before ?? {}, after ?? {}, path);
  }

  private compareProperties(before: JsonSchema, after: JsonSchema, path: string): void {
    const [old, now] = [before.properties ?? {}, after.properties ?? {}];
    const required = { before: before.required ?? [], after: after.required ?? [] };
    for (const name of Object.keys({ ...old, ...now })) {
      const at = `${path}/properties/${name}`;
      const isRequired = required.after.includes(name);
      if (!Object.hasOwn(now, name)) this.add('breaking', at, 'was removed');
      else if (!Object.hasOwn(old, name)) this.noteAdded(at, isRequired);
      else {
        if (required.before.includes(name) !== isRequired) {
          this.note(
            isRequired ? 'narrowed' : 'widened',
            at,
            isRequired ? 'is required now' : 'is optional now',
          );
        }
        this.compare(old[name], now[name], at);
      }
    }
    this.compareInner(
      before.additionalProperties,
      after.additionalProperties,
      `${path}/additionalProperties`,
    );
  }

  private noteAdded(path: string, isRequired: boolean): void {
    if (this.role === 'input' && isRequired) this.add('breaking', path, 'was added and is required');
    else this.add('compatible', path, 'was added');
  }

  /** Options have no names: one that is there unchanged is the same, the others came and went. */
  private compareOptions(before: JsonSchema, after: JsonSchema, path: string): void {
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      const [old, now] = [before[keyword], after[keyword]];
      if (isDeepStrictEqual(old, now)) continue;
      const at = `${path}/${keyword}`;
      const [gone, come] = [without(old, now), without(now, old)];
      if (gone.length === 1 && come.length === 1) this.compare(gone[0], come[0], at);
      else if (keyword === 'allOf') this.note('changed', at, 'changed');
      else {
        if (gone.length > 0)
          this.note(now ? 'narrowed' : 'widened', at, `lost ${gone.length} of its options`);
        if (come.length > 0) this.note(old ? 'widened' : 'narrowed', at, `gained ${come.length} options`);
      }
    }
  }

  private compareText(before: JsonSchema, after: JsonSchema, path: string): void {
    if (!isDeepStrictEqual(before.default, after.default)) {
      const message = `default was ${JSON.stringify(before.default)}, is ${JSON.stringify(after.default)}`;
      this.add('notable', path, message);
    }
    if (before.description !== after.description) this.add('notable', path, 'description changed');
  }

  private note(direction: Direction, path: string, message: string): void {
    const harmful: Direction = this.role === 'input' ? 'narrowed' : 'widened';
    this.add(direction === 'changed' || direction === harmful ? 'breaking' : 'compatible', path, message);
  }

  private add(impact: Impact, path: string, message: string): void {
    this.changes.push({ impact, path, message });
  }

  /** Equal references may stand for definitions that differ. */
  private get hasReferences(): boolean {
    return this.before.$defs !== undefined || this.after.$defs !== undefined;
  }
}

const allowed = (schema: Schema) => (schema === false ? 'is not allowed any more' : 'is allowed now');

function refOf(schema: Schema): string | undefined {
  return typeof schema === 'object' ? schema.$ref : undefined;
}

function without(options: JsonSchema[] = [], others: JsonSchema[] = []): JsonSchema[] {
  return options.filter((option) => !others.some((other) => isDeepStrictEqual(option, other)));
}

function resolve(schema: Schema, root: JsonSchema): JsonSchema {
  if (schema === undefined || typeof schema === 'boolean') return schema === false ? { not: {} } : {};
  const name = schema.$ref?.replace(/^#\/\$defs\//, '');
  const { $ref, ...siblings } = schema;
  return $ref === undefined ? schema : { ...(name === '#' ? root : root.$defs?.[name!]), ...siblings };
}
