import { NameSet, pascalName } from '@toolwright/json';
import { isLongArgument } from '../model/long-integers.js';
import type { JsonSchema } from '../model/schema-facts.js';

/** A longer name says no more. */
const LONGEST = 60;

/**
 * The types of an import that have bounds of their own. A comment of a member is about the whole member. So a text of at most
 * three characters that is one of several alternatives, or an item of a list in a list, needs a name: the build keeps what the
 * comment of an alias says wherever its name is used.
 */
export class BoundedTypes {
  /** What each name means. */
  readonly schemas = new Map<string, JsonSchema>();
  private readonly known = new Map<string, string>();

  constructor(private readonly names: NameSet = new NameSet()) {}

  /**
   * The name of a schema with these bounds. It says the bounds and no place, so that another place changes no name.
   *
   * @param tags the lines of its comment
   */
  nameOf(schema: JsonSchema, tags: readonly string[]): string {
    const { description: _words, default: _initial, examples: _shown, ...part } = schema;
    const key = JSON.stringify(part);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const type = isLongArgument(schema) ? 'bigint' : [schema.type ?? []].flat().join(' ');
    const name = this.names.take(pascalName([type, ...tags].join(' ')), LONGEST);
    this.known.set(key, name);
    this.schemas.set(name, part);
    return name;
  }
}

const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** The keywords that are about values of one type. */
const ofTypes: Readonly<Record<string, readonly string[]>> = {
  integer: NUMBERS,
  number: NUMBERS,
  string: ['minLength', 'maxLength', 'format', 'pattern', 'contentEncoding', 'writeOnly'],
  array: ['minItems', 'maxItems', 'items'],
  object: ['minProperties', 'properties', 'required', 'additionalProperties'],
};

/** A schema of several types as one of each, with what is said about that type. */
export function partsByType(schema: JsonSchema): JsonSchema[] {
  const types = [schema.type ?? []].flat();
  if (types.length < 2) return [schema];
  if (isLongArgument(schema)) {
    const digits = types.filter((type) => type !== 'null');
    return digits.length === types.length ? [schema] : [{ ...schema, type: digits }, { type: 'null' }];
  }
  return types.map((type) => {
    const own = ofTypes[type] ?? [];
    const others = Object.values(ofTypes).flat();
    const kept = Object.entries(schema).filter(([name]) => own.includes(name) || !others.includes(name));
    return { ...Object.fromEntries(kept), type };
  });
}
