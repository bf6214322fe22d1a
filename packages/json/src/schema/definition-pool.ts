import { createHash } from 'node:crypto';
import { type JsonSchema, mapSchema } from './json-schema.js';
import { referenceName, referencesIn, sortByReferences } from './references.js';
import { getOrMake } from './once.js';

type Definitions = Readonly<Record<string, JsonSchema>>;

/** A definition of one schema, with the definitions that its references mean. */
interface Member {
  readonly schema: JsonSchema;
  readonly name: string;
  readonly definitions: Definitions;
}

/**
 * Collects the definitions of many schemas, and stores equal ones once. Two are equal if they have the same
 * name without its number and the same content, and refer to equal definitions.
 */
export class DefinitionPool {
  /** The definitions by the names in references of pooled schemas. */
  readonly definitions: Record<string, JsonSchema> = {};
  private readonly members = new Map<JsonSchema, Member>();
  private readonly hashes = new Map<JsonSchema, string>();
  private readonly names = new Map<string, string>();

  /**
   * Adds the definitions of a schema to the pool.
   *
   * @returns the schema without them; its references now mean definitions of the pool
   */
  add(root: JsonSchema): JsonSchema {
    const { $defs, ...own } = root;
    return $defs ? this.rename(own, $defs) : root;
  }

  private rename(schema: JsonSchema, definitions: Definitions): JsonSchema {
    const names = new Map<string, string>();
    for (const name of new Set(referencesIn(schema)))
      if (definitions[name]) names.set(name, this.nameOf({ schema: definitions[name], name, definitions }));
    if ([...names].every(([name, pooled]) => name === pooled)) return schema;
    const write = (inner: JsonSchema): JsonSchema => {
      const pooled = names.get(referenceName(inner) ?? '');
      const written = mapSchema(inner, write);
      return pooled === undefined ? written : { ...written, $ref: `#/$defs/${pooled}` };
    };
    return write(schema);
  }

  private nameOf(member: Member): string {
    const hash = this.hashOf(member);
    const known = this.names.get(hash);
    if (known !== undefined) return known;
    const plain = plainName(member);
    let name = plain;
    for (let count = 1; Object.hasOwn(this.definitions, name); count++) name = `${plain}_${count}`;
    this.names.set(hash, name);
    // The name is set before the definition is written, because the definition may refer to itself.
    this.definitions[name] = {};
    this.definitions[name] = this.rename(member.schema, member.definitions);
    return name;
  }

  private hashOf(member: Member): string {
    const known = this.hashes.get(member.schema);
    if (known !== undefined) return known;
    const groups = sortByReferences([this.keep(member)], (each) => this.usesOf(each));
    for (const { members } of groups) this.hashGroup(members);
    return this.hashes.get(member.schema)!;
  }

  /** Returns one object for each schema, so that the same schema is recognised later. */
  private keep(member: Member): Member {
    return getOrMake(this.members, member.schema, () => member);
  }

  /** A member that already has a hash is not visited again. */
  private usesOf({ schema, definitions }: Member): Member[] {
    if (this.hashes.has(schema)) return [];
    const used = new Set<Member>();
    for (const name of referencesIn(schema))
      if (definitions[name]) used.add(this.keep({ schema: definitions[name], name, definitions }));
    return [...used];
  }

  /**
   * The members of a group are distinguished by their content, then by what they refer to, until no further
   * difference appears.
   */
  private hashGroup(members: readonly Member[]): void {
    const unknown = members.filter(({ schema }) => !this.hashes.has(schema));
    let current = new Map(unknown.map((member) => [member.schema, digest(this.sayingOf(member))]));
    for (let kinds = 0; ;) {
      const found = new Set(current.values()).size;
      if (found === kinds) break;
      kinds = found;
      current = new Map(unknown.map((member) => [member.schema, this.combine(member, current)]));
    }
    for (const [schema, hash] of current) this.hashes.set(schema, hash);
  }

  private combine({ schema, definitions }: Member, current: ReadonlyMap<JsonSchema, string>): string {
    const targets = referencesIn(schema).map((name) => {
      const target = definitions[name];
      return target ? (this.hashes.get(target) ?? current.get(target)!) : name;
    });
    return digest([current.get(schema), ...targets].join());
  }

  /** The content without the names of its references. */
  private sayingOf(member: Member): string {
    const { schema, definitions } = member;
    const write = (inner: JsonSchema): JsonSchema => {
      const name = referenceName(inner);
      const written = mapSchema(inner, write);
      return name !== undefined && definitions[name] ? { ...written, $ref: '#' } : written;
    };
    return plainName(member) + JSON.stringify(write(schema));
  }
}

/**
 * The name without its number. Different types with the same name have different numbers, and these depend on
 * the other types.
 */
function plainName({ name }: Member): string {
  return name.replace(/_\d+$/, '');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
