import { valueText } from '../numbers/exact-number-text.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { isSensitive } from '../schema/keywords.js';
import { definitionsOf, referenceName } from '../schema/references.js';
import { replaceUnshown, visible, writeHiddenInJson } from '../text/hidden-characters.js';
import { getOrMake } from '../schema/once.js';

const simple: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

/** Keywords that a type cannot express but a comment can, written as doc tags. */
const limitKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
];

const collected = new WeakMap<JsonSchema, Readonly<Record<string, JsonSchema>>>();

/** Collected once: under their older name, they are a copy each time. */
export function definitionsFor(root: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return getOrMake(collected, root, () => definitionsOf(root));
}

/** Writes the types of one schema. */
export class TypeWriter {
  private readonly definitions: Readonly<Record<string, JsonSchema>>;

  /** @param nameOf returns the name of a definition's type; `#` means the whole schema */
  constructor(
    root: JsonSchema,
    private readonly nameOf: (definition: string) => string,
  ) {
    this.definitions = definitionsFor(root);
  }

  /** `export interface Name { … }`, or a type with this name if the schema is not a plain object. */
  declare(name: string, schema: JsonSchema, comment?: string): string {
    const type = this.type(schema, '');
    const isObject = /^\{\n[^]*\n\}$/.test(type) && !/^\}./m.test(type);
    const doc = docComment(comment ?? schema.description, '');
    return `${doc}${isObject ? `export interface ${name} ${type}` : `export type ${name} = ${type};`}\n`;
  }

  type(schema: JsonSchema | boolean | undefined, indent: string): string {
    if (schema === false) return 'never';
    if (schema === true || schema === undefined) return 'unknown';
    const parts = [
      ...(schema.$ref === undefined ? [] : [this.reference(schema.$ref)]),
      ...(schema.allOf ?? []).map((each) => this.type(each, indent)),
      ...[schema.anyOf, schema.oneOf].flatMap((options) => (options ? [this.union(options, indent)] : [])),
      ...this.own(schema, indent),
    ].filter((part) => part !== 'unknown');
    return parts.length === 0 ? 'unknown' : joined(parts);
  }

  private union(options: readonly JsonSchema[], indent: string): string {
    return [...new Set(options.map((option) => this.type(option, indent)))].join(' | ') || 'never';
  }

  /** The types from a schema's own keywords, without references and combinations. */
  private own(schema: JsonSchema, indent: string): string[] {
    const isShown = !isSensitive(schema);
    if (schema.const !== undefined && isShown) return [literal(schema.const)];
    if (schema.enum && isShown) return [schema.enum.map(literal).join(' | ') || 'never'];
    const types = [schema.type ?? []].flat();
    if (types.length === 0 && !schema.properties) return [];
    const written = (types.length === 0 ? ['object'] : types).map((type) =>
      this.ofType(type, schema, indent),
    );
    return [[...new Set(written)].join(' | ')];
  }

  private ofType(type: string, schema: JsonSchema, indent: string): string {
    if (type === 'object') return this.object(schema, indent);
    if (type === 'array') return this.array(schema, indent);
    return simple.get(type) ?? 'unknown';
  }

  private object(schema: JsonSchema, indent: string): string {
    const { properties = {}, required = [], additionalProperties: more, patternProperties = {} } = schema;
    const inner = `${indent}  `;
    const known = Object.entries(properties).map(([name, property]) => {
      const doc = docComment(describe(property), inner);
      const mark = required.includes(name) ? '' : '?';
      return `${doc}${inner}${propertyName(name)}${mark}: ${this.type(property, inner)};\n`;
    });
    const patterns = Object.values(patternProperties);
    const others = patterns.length > 0 ? patterns : more === undefined || more === false ? [] : [more];
    const value = [...new Set(others.map((each) => this.type(each, inner)))].join(' | ');
    if (known.length === 0)
      return value ? `Record<string, ${value}>` : more === false ? 'Record<string, never>' : 'object';
    // The named properties must fit the index signature as well.
    const rest = others.length > 0 ? `${inner}[name: string]: unknown;\n` : '';
    return `{\n${known.join('')}${rest}${indent}}`;
  }

  private array(
    { items, prefixItems, minItems = 0, maxItems = Infinity }: JsonSchema,
    indent: string,
  ): string {
    if (!prefixItems) {
      const type = this.type(items, indent);
      // Servers publish a tuple as a list of a fixed length, because strict clients refuse `prefixItems`.
      const isFixed = minItems === maxItems && maxItems <= MOST_POSITIONS;
      return isFixed ? `[${Array<string>(maxItems).fill(type).join(', ')}]` : `${bracketed(type)}[]`;
    }
    const first = prefixItems.map((each, index) => {
      const type = this.type(each, indent);
      return index < minItems ? type : `${bracketed(type)}?`;
    });
    const isClosed = items === false || items === undefined || maxItems <= prefixItems.length;
    const rest = isClosed ? [] : [`...${bracketed(this.type(items, indent))}[]`];
    return `[${[...first, ...rest].join(', ')}]`;
  }

  private reference($ref: string): string {
    if ($ref === '#') return this.nameOf('#');
    const name = referenceName({ $ref });
    return name !== undefined && Object.hasOwn(this.definitions, name) ? this.nameOf(name) : 'unknown';
  }
}

/** Longer lists are written as such. */
const MOST_POSITIONS = 8;

/** Adds parentheses around a union or intersection, because the surrounding operator would bind first. */
function bracketed(type: string): string {
  const [first, last] = [type.indexOf('{'), type.lastIndexOf('}')];
  const outside = first < 0 || last < first ? type : type.slice(0, first) + type.slice(last);
  return / [|&] /.test(outside) ? `(${type})` : type;
}

function joined(parts: readonly string[]): string {
  const different = [...new Set(parts)];
  return different.length === 1 ? different[0]! : different.map(bracketed).join(' & ');
}

function literal(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'object' : literalText(value);
}

/** Whether a name can stand in code as it is. */
export const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

/** The name of a member as TypeScript has it: in quotes if it is not an identifier. */
export function propertyName(name: string): string {
  return isIdentifier(name) ? name : literalText(name);
}

/** A literal of TypeScript in which nothing hides. */
const literalText = (value: unknown): string => replaceUnshown(valueText(value), writeHiddenInJson);

function describe(property: JsonSchema): string {
  if (isSensitive(property)) return [property.description, '@sensitive'].filter(Boolean).join('\n');
  const limits = limitKeywords.flatMap((keyword) =>
    property[keyword] === undefined ? [] : [`@${keyword} ${String(property[keyword])}`],
  );
  const initial = property.default === undefined ? [] : [`@default ${JSON.stringify(property.default)}`];
  const deprecated = property.deprecated ? ['@deprecated'] : [];
  return [property.description, ...limits, ...initial, ...deprecated].filter(Boolean).join('\n');
}

/** A doc comment with its lines; empty if there is no text. */
export function docComment(text: string | undefined, indent: string): string {
  if (text === undefined || text.trim() === '') return '';
  const lines = commentText(text).trim().split(/\r?\n/);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Text of a server cannot end the comment, hide in it, or give instructions to the compiler. */
function commentText(text: string): string {
  return visible(text)
    .replaceAll('*/', '*\\/')
    .replace(/@(?=ts-|jsx)/g, '\\@');
}
