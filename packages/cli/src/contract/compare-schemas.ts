import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@toolwright/json';
import { textChange, type ContractChange } from './change.js';
import {
  type Direction,
  FoundChanges,
  type OptionsKeyword,
  alignOptions,
  areDisjoint,
  compareKeywords,
  without,
} from './compare-keywords.js';

/** Whether callers send values of the schema, or read them. */
export type Role = 'input' | 'output';

type Schema = JsonSchema | boolean | undefined;

/**
 * Lists the differences between two schemas. For an input, allowing less is breaking. For an output,
 * promising less is breaking. If it is unknown whether less is allowed, the change counts as breaking.
 */
export function compareSchemas(before: JsonSchema, after: JsonSchema, role: Role): ContractChange[] {
  return new Comparison(before, after, role).run();
}

class Comparison {
  private found = new FoundChanges();
  /** Pairs of definitions. Each is compared once, even if many paths lead to it. */
  private readonly pairs = new Map<string, FoundChanges>();

  constructor(
    private readonly before: JsonSchema,
    private readonly after: JsonSchema,
    private readonly role: Role,
  ) {}

  run(): ContractChange[] {
    return this.collect(() => this.compare(this.before, this.after, ''));
  }

  private compare(before: Schema, after: Schema, path: string): void {
    if (isDeepStrictEqual(before, after) && !this.hasReferences) return;
    const pair = `${refOf(before)} ${refOf(after)}`;
    const isReference = refOf(before) !== undefined || refOf(after) !== undefined;
    const [old, now] = [resolve(before, this.before), resolve(after, this.after)];
    if (!isReference) return this.compareResolved(old, now, path);
    // Other keywords beside a reference make it another pair.
    const key = JSON.stringify([pair, before, after]);
    let found = this.pairs.get(key);
    if (!found) {
      this.pairs.set(key, (found = new FoundChanges()));
      this.within(found, () => this.compareResolved(old, now, ''));
    }
    this.found.addAt(path, found);
  }

  private compareResolved(written: JsonSchema, rewritten: JsonSchema, path: string): void {
    const [before, after] = alignOptions(written, rewritten);
    for (const { direction, message } of compareKeywords(before, after)) this.note(direction, path, message);
    this.compareText(before, after, path);
    this.compareProperties(before, after, path);
    for (const keyword of ['anyOf', 'oneOf'] as const) this.compareOptions(before, after, { keyword, path });
    if (!isDeepStrictEqual(before.allOf, after.allOf)) this.note('changed', `${path}/allOf`, 'changed');
    this.compareItems(before, after, path);
  }

  private compareItems(before: JsonSchema, after: JsonSchema, path: string): void {
    this.compareInner(before.items, after.items, `${path}/items`);
    const [old = [], now = []] = [before.prefixItems, after.prefixItems];
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      // Behind the last position, `items` says what is allowed.
      const [one, other] = [old[index] ?? before.items, now[index] ?? after.items];
      this.compareInner(one, other, `${path}/prefixItems/${index}`);
    }
  }

  /** A missing schema inside an array or object allows everything. */
  private compareInner(before: Schema, after: Schema, path: string): void {
    if (before === undefined && after === undefined) return;
    if (before === false || after === false) {
      if (before !== after) this.note(after === false ? 'narrowed' : 'widened', path, allowed(after));
      return;
    }
    this.compare(before ?? {}, after ?? {}, path);
  }

  private compareProperties(before: JsonSchema, after: JsonSchema, path: string): void {
    const [old, now] = [membersOf(before), membersOf(after)];
    const renamed = renames(old, now);
    for (const [name, was] of old) {
      const at = `${path}/properties/${name}`;
      const is = now.get(name);
      const newName = renamed.get(name);
      if (newName !== undefined) this.add('breaking', at, `was renamed to ${newName}`);
      else if (!is) this.add('breaking', at, 'was removed');
      else {
        if (is.isRequired && !was.isRequired) this.note('narrowed', at, 'is required now');
        if (was.isRequired && !is.isRequired) this.note('widened', at, 'is optional now');
        this.compare(was.schema, is.schema, at);
      }
    }
    const known = new Set([...old.keys(), ...renamed.values()]);
    for (const [name, { isRequired }] of now)
      if (!known.has(name)) this.noteAdded(`${path}/properties/${name}`, isRequired);
    const [others, othersNow] = [before.additionalProperties, after.additionalProperties];
    this.compareInner(others, othersNow, `${path}/additionalProperties`);
  }

  private noteAdded(path: string, isRequired: boolean): void {
    if (this.role === 'input' && isRequired) this.add('breaking', path, 'was added and is required');
    else this.add('compatible', path, 'was added');
  }

  private compareOptions(
    before: JsonSchema,
    after: JsonSchema,
    { keyword, path }: { keyword: OptionsKeyword; path: string },
  ): void {
    const [old, now] = [before[keyword], after[keyword]];
    const at = `${path}/${keyword}`;
    if (isDeepStrictEqual(old, now)) {
      // Equal references may stand for different definitions.
      if (this.hasReferences) old?.forEach((option, index) => this.compare(option, now![index], at));
    } else if (!old || !now)
      this.note(old ? 'widened' : 'narrowed', at, old ? 'is no longer limited' : 'is limited now');
    // A value must match exactly one schema of `oneOf`. If alternatives overlap, a wider one may allow less.
    else if (keyword === 'oneOf' && !this.areDisjoint(old, now)) this.note('changed', at, 'changed');
    else this.matchOptions(old, now, at);
  }

  private areDisjoint(old: JsonSchema[], now: JsonSchema[]): boolean {
    const resolved = (options: JsonSchema[], root: JsonSchema) =>
      options.map((option) => resolve(option, root));
    return areDisjoint(resolved(old, this.before)) && areDisjoint(resolved(now, this.after));
  }

  /**
   * Alternatives have no names. For each alternative that callers rely on, the other side needs one that
   * breaks nothing. If one of the rest is left on each side, it counts as the same alternative with a change.
   */
  private matchOptions(old: JsonSchema[], now: JsonSchema[], at: string): void {
    const [gone, come] = this.hasReferences ? [old, now] : [without(old, now), without(now, old)];
    const isInput = this.role === 'input';
    const [needed, offered] = isInput ? [gone, come] : [come, gone];
    const probe = (one: JsonSchema, other: JsonSchema) =>
      this.collect(() => (isInput ? this.compare(one, other, at) : this.compare(other, one, at)));
    const used = new Set<JsonSchema>();
    const unmet = needed.filter((one) => {
      const found = offered.find((other) => probe(one, other).every(({ impact }) => impact !== 'breaking'));
      if (!found) return true;
      used.add(found);
      for (const change of probe(one, found)) this.found.add(change);
      return false;
    });
    const spare = offered.filter((option) => !used.has(option));
    const [lone, other] = [unmet[0], spare[0]];
    if (unmet.length === 1 && spare.length === 1) {
      for (const change of probe(lone!, other!)) this.found.add(change);
      return;
    }
    const [lost, gained] = isInput ? [unmet, spare] : [spare, unmet];
    if (lost.length > 0) this.note('narrowed', at, `lost ${lost.length} of its options`);
    if (gained.length > 0) this.note('widened', at, `gained ${gained.length} options`);
  }

  private collect(run: () => void): ContractChange[] {
    const found = new FoundChanges();
    this.within(found, run);
    return found.all();
  }

  private within(found: FoundChanges, run: () => void): void {
    const kept = this.found;
    this.found = found;
    run();
    this.found = kept;
  }

  /** These changes break nothing, but models read the text. */
  private compareText(before: JsonSchema, after: JsonSchema, path: string): void {
    for (const keyword of ['title', 'description', 'examples'] as const) {
      const [old, now] = [before[keyword], after[keyword]];
      if (!isDeepStrictEqual(old, now)) this.found.add(textChange(keyword, path, [old, now]));
    }
    if (!isDeepStrictEqual(before.default, after.default)) {
      const [old, now] = [before.default, after.default].map((value) => JSON.stringify(value) ?? 'absent');
      this.add('notable', path, `default was ${old}, is ${now}`);
    }
    if (!before['deprecated'] !== !after['deprecated'])
      this.add('notable', path, after['deprecated'] ? 'is deprecated now' : 'is no longer deprecated');
  }

  private note(direction: Direction, path: string, message: string): void {
    const harmful: Direction = this.role === 'input' ? 'narrowed' : 'widened';
    this.add(direction === 'changed' || direction === harmful ? 'breaking' : 'compatible', path, message);
  }

  private add(impact: ContractChange['impact'], path: string, message: string): void {
    this.found.add({ impact, path, message });
  }

  private get hasReferences(): boolean {
    return this.before.$defs !== undefined || this.after.$defs !== undefined;
  }
}

const allowed = (schema: Schema) => (schema === false ? 'is not allowed any more' : 'is allowed now');

function refOf(schema: Schema): string | undefined {
  return typeof schema === 'object' ? schema.$ref : undefined;
}

interface Member {
  schema: Schema;
  isRequired: boolean;
}

/** All members that are named anywhere, because a required member may have no description. */
function membersOf({ properties = {}, required = [] }: JsonSchema): Map<string, Member> {
  const names = [...new Set([...Object.keys(properties), ...required])];
  return new Map(
    names.map((name) => [name, { schema: properties[name], isRequired: required.includes(name) }]),
  );
}

/** Members with a new name and no other change: old name to new name. */
function renames(old: Map<string, Member>, now: Map<string, Member>): Map<string, string> {
  const gone = [...old].filter(([name]) => !now.has(name));
  const come = [...now].filter(([name]) => !old.has(name));
  const [[was] = [], [is] = []] = [gone, come];
  const isOne = gone.length === 1 && come.length === 1 && isDeepStrictEqual(was![1], is![1]);
  return new Map(isOne ? [[was![0], is![0]]] : []);
}

function resolve(schema: Schema, root: JsonSchema): JsonSchema {
  if (schema === undefined || typeof schema === 'boolean') return schema === false ? { not: {} } : {};
  const name = schema.$ref?.replace(/^#\/\$defs\//, '');
  const { $ref, ...siblings } = schema;
  return $ref === undefined ? schema : { ...(name === '#' ? root : root.$defs?.[name!]), ...siblings };
}
