import type { ts } from '@toolwright/schema-compiler/project';
import { type CodeStyle, printName, printValue } from '../constants.js';
import { ConversionProblem } from '../migration.js';
import type { ShapeKind, Properties, Shape } from './shape.js';

/** An inline object type is at most this long. */
const SHORT = 60;

/** Writes types for schemas. Objects and lists with rules become declarations of their own. */
export class ShapeWriter {
  /** Names of `@toolwright/core` that the types use. */
  readonly imports = new Set<string>();
  private readonly written = new Map<string, string>();

  /** @param taken names that the file uses */
  constructor(
    private readonly taken: ReadonlySet<string>,
    private readonly style: CodeStyle,
  ) {}

  /** The declarations so far. */
  get declarations(): string[] {
    return [...this.written.values()];
  }

  /** A copy, whose declarations can be thrown away. */
  fork(): ShapeWriter {
    const fork = new ShapeWriter(this.taken, this.style);
    for (const [name, text] of this.written) fork.written.set(name, text);
    for (const name of this.imports) fork.imports.add(name);
    return fork;
  }

  /**
   * The type of a schema.
   *
   * @param hint a name for the type, in PascalCase, if it needs one
   * @throws {ConversionProblem} a doc comment cannot say it
   */
  typeOf(shape: Shape, hint: string, node: ts.Node): string {
    const type = this.kindOf(shape, hint, node);
    return shape.nullable ? `${type} | null` : type;
  }

  /** An interface with these properties, and its name. */
  interfaceOf(properties: Properties, hint: string, node: ts.Node, more = ''): string {
    const { indent } = this.style;
    return this.declare(hint, (name) => {
      const members = [...properties].map(
        ([key, shape]) =>
          docComment(descriptionOf(shape, node), [...docTags(shape), ...defaultTag(shape)], indent) +
          `${indent}${this.property(key, shape, name, node)};\n`,
      );
      return `interface ${name} {\n${members.join('')}${more && `${indent}${more};\n`}}`;
    });
  }

  private property(key: string, shape: Shape, hint: string, node: ts.Node): string {
    const mark = shape.optional || shape.default !== undefined ? '?' : '';
    return `${printName(key, this.style.quote)}${mark}: ${this.typeOf(shape, hint + pascal(key), node)}`;
  }

  private kindOf(shape: Shape, hint: string, node: ts.Node): string {
    const { kind } = shape;
    switch (kind.is) {
      case 'integer':
        this.imports.add('integer');
        return 'integer';
      case 'literal':
        return kind.type ?? kind.values.map((value) => printValue(value, this.style)).join(' | ');
      case 'array':
        return `${inList(this.partOf(kind.items, oneOf(hint), node))}[]`;
      case 'tuple':
        return `[${kind.items.map((each, index) => this.partOf(each, `${hint}${index + 1}`, node)).join(', ')}]`;
      case 'record':
        return `Record<string, ${this.partOf(kind.values, `${hint}Value`, node)}>`;
      case 'union':
        return kind.members.map((each, index) => this.partOf(each, `${hint}${index + 1}`, node)).join(' | ');
      case 'object':
        return this.objectOf(kind, shape.name === undefined ? hint : nameFor(shape.name), node);
      default:
        return kind.is;
    }
  }

  /** A part of a type has no doc comment of its own. Rules need a name with one. */
  private partOf(shape: Shape, hint: string, node: ts.Node): string {
    const tags = docTags(shape);
    if (tags.length === 0) return this.typeOf(shape, hint, node);
    const type = this.typeOf(shape, hint, node);
    return this.declare(shape.name === undefined ? hint : nameFor(shape.name), (name) => {
      return `${docComment(descriptionOf(shape, node), tags, '')}type ${name} = ${type};`;
    });
  }

  private objectOf({ properties, open }: ShapeKind & { is: 'object' }, hint: string, node: ts.Node): string {
    const more = open ? '[name: string]: unknown' : '';
    if (properties.size === 0) return open ? 'Record<string, unknown>' : 'object';
    const isBare = [...properties.values()].every(
      (shape) =>
        docTags(shape).length === 0 && !shape.description && shape.default === undefined && isSimple(shape),
    );
    if (isBare && !more) {
      const line = `{ ${[...properties].map(([key, shape]) => this.property(key, shape, hint, node)).join('; ')} }`;
      if (line.length <= SHORT) return line;
    }
    return this.interfaceOf(properties, hint, node, more);
  }

  /** Adds a declaration under the first free name. The same declaration is written once. */
  private declare(wanted: string, write: (name: string) => string): string {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wanted : number === 2 ? `${wanted}Data` : `${wanted}Data${number - 1}`;
      if (this.taken.has(name)) continue;
      const text = write(name);
      const existing = this.written.get(name);
      if (existing !== undefined && existing !== text) continue;
      this.written.set(name, text);
      return name;
    }
  }
}

function isSimple({ kind }: Shape): boolean {
  return kind.is === 'array'
    ? isSimple(kind.items)
    : !['object', 'union', 'tuple', 'record'].includes(kind.is);
}

function defaultTag(shape: Shape): string[] {
  return shape.default === undefined ? [] : [`@default ${JSON.stringify(shape.default)}`];
}

function inList(type: string): string {
  return /[|&]/.test(type) && !/^[{(].*[)}]$/.test(type) ? `(${type})` : type;
}

/** `EditFileEdits` -> `EditFileEdit`. */
function oneOf(name: string): string {
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}

/** `EntitySchema` -> `Entity`, `editSchema` -> `Edit`. */
function nameFor(constant: string): string {
  return pascal(constant.replace(/(Zod)?(Raw)?(Shape|Schema|Type)$/i, '') || constant);
}

/** `get-sum` -> `GetSum`. */
export function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const text = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(text) ? text : `X${text}`;
}

/** The doc tags that say the rules of a schema, such as `@minimum 1`. */
export function docTags({ rules }: Shape): string[] {
  return Object.entries(rules).map(([keyword, value]) => `@${keyword} ${String(value)}`);
}

/** The description of a schema, or nothing. */
export function descriptionOf({ description = '' }: Shape, node: ts.Node): string {
  if (fitsComment(description)) return description;
  throw new ConversionProblem(
    node,
    'A description has characters that a doc comment cannot hold.',
    'Write the parameter by hand, and its description with @Schema({ description }).',
  );
}

/** Whether a text reads the same after a trip through a doc comment. */
export function fitsComment(text: string): boolean {
  return !/\*\/|\{@|\r/.test(text) && !/^\s*@/m.test(text) && text.trim() === text && !/[ \t]$/m.test(text);
}

/** A doc comment, with its tags below the text. Empty if it would say nothing. */
export function docComment(text: string, tags: readonly string[], margin: string): string {
  const lines = [...(text === '' ? [] : text.split('\n')), ...tags];
  if (lines.length === 0) return '';
  const [first] = lines;
  if (lines.length === 1) return `${margin}/** ${first} */\n`;
  const body = lines.map((line) => `${margin} *${line === '' ? '' : ` ${line}`}\n`);
  return `${margin}/**\n${body.join('')}${margin} */\n`;
}
