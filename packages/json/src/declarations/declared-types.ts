import { createHash } from 'node:crypto';
import type { JsonSchema } from '../schema/json-schema.js';
import { referencesIn, sortByReferences } from '../schema/references.js';
import { TypeWriter, definitionsFor, docComment } from './type-writer.js';

/** The part of a schema in its tool. */
interface Declared {
  /** The prefix of type names that belong to this tool only. */
  readonly owner: string;
  readonly part: 'Arguments' | 'Result';
  readonly comment: string;
}

/** The types of a whole module. Types that several tools share are declared once. */
export class DeclaredTypes {
  readonly declarations: string[] = [];
  /**
   * For each name, the TypeScript forms of its definitions. There are several if tools use one name for
   * different types.
   */
  private readonly meanings = new Map<string, Set<string>>();
  /** The names of definitions by their form. */
  private readonly named = new Map<string, string>();
  /** What was referred to and is not written yet. */
  private readonly referred: (() => void)[] = [];
  /** The names of types by their declaration. */
  private readonly bodies = new Map<string, string>();

  /**
   * @param roots all schemas of the module
   * @param areOwn whether equal types of several tools are written out for each. Otherwise they name the first one, which makes
   *   the module shorter. Editors then show a type under the name of another tool.
   */
  constructor(
    roots: readonly JsonSchema[],
    private readonly names: UniqueNames,
    private readonly areOwn = false,
  ) {
    for (const root of roots) {
      for (const [key, meaning] of meaningsOf(root)) {
        const name = pascalCase(key);
        const known = this.meanings.get(name) ?? new Set();
        this.meanings.set(name, known.add(meaning));
      }
    }
  }

  /**
   * Declares the arguments or the result of a tool.
   *
   * @returns the name of the type
   */
  declare(root: JsonSchema, { owner, part, comment }: Declared): string {
    const name = this.names.take(`${owner}${part}`);
    const place = this.declarations.push('') - 1;
    this.declarations[place] = this.write(name, root, { root, owner, comment });
    this.writeReferred();
    return name;
  }

  /** The type of a schema, to be written in place. What it refers to is declared. */
  inline(root: JsonSchema, owner: string, indent: string): string {
    const type = new TypeWriter(root, (key) => this.refer(root, key, owner)).type(root, indent);
    this.writeReferred();
    return type;
  }

  /** A list and no recursion: a chain of definitions may be thousands of steps long. */
  private writeReferred(): void {
    for (let next = this.referred.shift(); next; next = this.referred.shift()) next();
  }

  private write(
    name: string,
    schema: JsonSchema,
    { root, owner, comment }: { root: JsonSchema; owner: string; comment?: string },
  ): string {
    const writer = new TypeWriter(root, (key) => this.refer(root, key, owner));
    const body = writer.declare('', schema, '');
    const same = this.bodies.get(body);
    if (same === undefined || this.areOwn) {
      this.bodies.set(body, name);
      return writer.declare(name, schema, comment);
    }
    // A type of one line is written out, because a name would say less.
    return body.includes('\n  ')
      ? `${docComment(comment, '')}export type ${name} = ${same};\n`
      : writer.declare(name, schema, comment);
  }

  private refer(root: JsonSchema, key: string, owner: string): string {
    const name = key === '#' ? 'Root' : pascalCase(key);
    const meaning = `${name} ${key === '#' ? textHash(JSON.stringify(root)) : meaningsOf(root).get(key)!}`;
    const known = this.named.get(meaning);
    if (known !== undefined) return known;
    const isClear = this.meanings.get(name)?.size === 1 && key !== '#';
    const taken = this.names.take(isClear ? name : `${owner}${name}`);
    this.named.set(meaning, taken);
    const place = this.declarations.push('') - 1;
    const definition = key === '#' ? root : definitionsFor(root)[key]!;
    this.referred.push(() => {
      this.declarations[place] = this.write(taken, definition, { root, owner });
    });
    return taken;
  }
}

const known = new WeakMap<JsonSchema, ReadonlyMap<string, string>>();

/**
 * For each definition of a schema, a short text that two definitions share if their TypeScript forms and everything
 * that they refer to are the same. Each definition is written once: a definition that it refers to is in it as its
 * own short text. Definitions that refer to each other share one text, and differ by their names.
 */
function meaningsOf(root: JsonSchema): ReadonlyMap<string, string> {
  const before = known.get(root);
  if (before) return before;
  const definitions = definitionsFor(root);
  const meanings = new Map<string, string>();
  const writer = new TypeWriter(root, (each) => (each === '#' ? JSON.stringify(root) : pascalCase(each)));
  const usesOf = (key: string) => [
    ...new Set(referencesIn(definitions[key]!).filter((each) => Object.hasOwn(definitions, each))),
  ];
  for (const { members } of sortByReferences(Object.keys(definitions), usesOf)) {
    const inside = new Set(members);
    const forms = [...members].sort().map((key) => {
      const others = usesOf(key).filter((each) => !inside.has(each));
      const outside = others.map((each) => `${each} ${meanings.get(each)!}`).sort();
      return [writer.declare(pascalCase(key), definitions[key]!), ...outside].join('\n');
    });
    const meaning = textHash(forms.join('\n'));
    for (const key of members)
      meanings.set(key, members.length > 1 ? `${meaning} ${pascalCase(key)}` : meaning);
  }
  known.set(root, meanings);
  return meanings;
}

const textHash = (text: string) => createHash('sha256').update(text).digest('base64url');

/** The words in `find_notes`, `find-notes` and `notes.find`: letters and digits only. */
function wordsOf(name: string): string[] {
  return name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
}

/** `find_notes` -> `FindNotes`. The result never begins with a digit. */
export function pascalCase(name: string): string {
  const joined = wordsOf(name)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
  return /^\d/.test(joined) || joined === '' ? `T${joined}` : joined;
}

/** `find_notes` -> `findNotes`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal[0]!.toLowerCase() + pascal.slice(1);
}

/** Makes every name unique: a repeated name gets a number. */
export class UniqueNames {
  private readonly taken: Set<string>;

  constructor(reserved: readonly string[]) {
    this.taken = new Set(reserved);
  }

  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.taken.has(name); count++) name = `${wanted}${count}`;
    this.taken.add(name);
    return name;
  }
}
