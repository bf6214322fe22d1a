import { exactNumberText } from '@toolwright/core/transport';
import { comment, isIdentifier, literalText, referenceName, safeText, WRITTEN_WIDTH } from '@toolwright/json';
import { isLongArgument } from '../model/long-integers.js';
import { type JsonSchema, namesIn } from '../model/schema-facts.js';
import { BoundedTypes, partsByType } from './bounded-types.js';

/** The names that a text uses, so that its file imports them and nothing else. */
export interface UsedNames {
  /** Types of `types.ts`. */
  readonly types: Set<string>;
  /** Names of `@toolwright/core`. */
  readonly core: Set<string>;
  /** Names of `@toolwright/openapi`. */
  readonly openapi: Set<string>;
  /** Types that contain themselves and are not interfaces. TypeScript takes them in braces, and not as an argument of `Record`. */
  readonly circular?: ReadonlySet<string>;
  /** The types with bounds of their own. All files of an import share them. */
  readonly bounded: BoundedTypes;
}

export const noNames = (bounded: BoundedTypes = new BoundedTypes()): UsedNames => ({
  types: new Set<string>(),
  core: new Set<string>(),
  openapi: new Set<string>(),
  bounded,
});

/** The comment above a type has its bounds: those of a member, and with `@items` those of the items of a list. */
type Commented = 'member' | 'items';

/** Writes the type of a schema whose own bounds are in a comment. */
export function typeText(
  schema: JsonSchema,
  used: UsedNames,
  indent = '',
  commented: Commented = 'member',
): string {
  const name = referenceName(schema);
  if (name !== undefined) {
    used.types.add(name);
    return name;
  }
  if (schema.const !== undefined) return literalText(schema.const);
  if (schema.enum) return union(schema.enum.map(literalText), indent);
  if (schema.anyOf)
    return union([...new Set(schema.anyOf.map((each) => partText(each, used, indent)))], indent);
  const stated = [schema.type ?? []].flat();
  // The build makes a bigint of both forms, so that requests have its digits as a number.
  const types = isLongArgument(schema) ? ['bigint', ...stated.filter((type) => type === 'null')] : stated;
  if (types.length === 0) {
    used.openapi.add('Json');
    return 'Json';
  }
  return union([...new Set(types.map((type) => ofType(type, schema, { used, indent, commented })))], indent);
}

/** Writes the type of a schema that no comment is about: an alternative, a list in a list. A name keeps its bounds. */
function partText(schema: JsonSchema, used: UsedNames, indent: string): string {
  const parts = partsByType(schema).map((part) => {
    const bounds = boundsOf(part);
    if (bounds.length === 0) return typeText(part, used, indent, 'items');
    const name = used.bounded.nameOf(part, bounds);
    used.types.add(name);
    return name;
  });
  return union(parts, indent);
}

function ofType(
  type: string,
  schema: JsonSchema,
  { used, indent, commented }: { used: UsedNames; indent: string; commented: Commented },
): string {
  const { items = {} } = schema;
  if (type === 'array')
    return listOf(
      commented === 'member' ? typeText(items, used, indent, 'items') : partText(items, used, indent),
      items,
    );
  if (type === 'object') return objectText(schema, used, indent);
  if (type === 'integer') used.core.add('integer');
  return type === 'string' && schema['contentEncoding'] === 'base64' ? 'Uint8Array' : type;
}

/** Inside of one object there may be unions; a union of several objects begins like one of them. */
const listOf = (item: string, { anyOf = [] }: JsonSchema) =>
  / \| |^\n/.test(item) && (anyOf.length > 1 || !item.startsWith('{')) ? `(${item.trim()})[]` : `${item}[]`;

export function objectText(schema: JsonSchema, used: UsedNames, indent: string): string {
  const { properties = {}, required = [], additionalProperties: more } = schema;
  if (Object.keys(properties).length === 0) {
    if (typeof more !== 'object' || Object.keys(more).length === 0) return 'object';
    const type = partText(more, used, indent);
    return namesIn(more).some((name) => used.circular?.has(name))
      ? `{ [member: string]: ${type} }`
      : `Record<string, ${type}>`;
  }
  const lines = Object.entries(properties).map(([name, each]) =>
    memberText({ name, schema: each, isRequired: required.includes(name) }, used, `${indent}  `),
  );
  if (more === true) {
    used.openapi.add('Json');
    // Where a member may be missing, its type has undefined, and this one has to allow that.
    const isWhole = Object.keys(properties).every((name) => required.includes(name));
    lines.push(`${indent}  [member: string]: Json${isWhole ? '' : ' | undefined'};\n`);
  }
  return `{\n${lines.join('')}${indent}}`;
}

/** One member of an interface, with its comment. */
export function memberText(
  { name, schema, isRequired }: { name: string; schema: JsonSchema; isRequired: boolean },
  used: UsedNames,
  indent: string,
): string {
  const key = isIdentifier(name) ? name : literalText(name);
  const type = typeText(schema, used, indent);
  return `${comment(linesOf(schema), indent)}${indent}${key}${isRequired ? '' : '?'}:${type.startsWith('\n') ? '' : ' '}${type};\n`;
}

function union(given: readonly string[], indent: string): string {
  // A member may be a union of many lines itself.
  const members = given.flatMap((each) =>
    each.startsWith('\n') ? each.replace(/^\s*\| /, '').split(/\n\s*\| /) : [each],
  );
  const open = besideLiterals(members);
  const line = open.join(' | ') || 'never';
  if (line.length <= WRITTEN_WIDTH - 30 || line.includes('\n')) return line;
  return `\n${open.map((each) => `${indent}  | ${each}`).join('\n')}`;
}

/** TypeScript makes `'a' | string` one type, and the value that somebody named would be gone. */
function besideLiterals(members: readonly string[]): readonly string[] {
  const hasText = members.some((each) => each.startsWith("'"));
  const hasNumber = members.some((each) => /^-?\d/.test(each));
  return members.map((each) =>
    (hasText && each === 'string') || (hasNumber && (each === 'integer' || each === 'number'))
      ? `(${each} & {})`
      : each,
  );
}

const tagText = (value: unknown) => (typeof value === 'number' ? exactNumberText(value) : String(value));

const tags = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'format',
];

/** What a schema says beyond its type, as the lines of a doc comment. */
export function linesOf(schema: JsonSchema): string[] {
  const description = schema.description === undefined ? [] : [safeText(schema.description)];
  return [...description, ...tagsOf(schema)];
}

export function tagsOf(schema: JsonSchema): string[] {
  const { default: initial } = schema as { default?: unknown };
  return [
    ...boundTags(schema),
    ...(schema.items ? boundTags(schema.items, 'items.') : []),
    ...patternTags(schema),
    ...(schema.items ? patternTags(schema.items, 'items.') : []),
    ...(initial !== undefined && !/@|\*\//.test(String(initial))
      ? [`@default ${JSON.stringify(initial)}`]
      : []),
    ...(Array.isArray(schema['examples']) && !/@|\*\//.test(JSON.stringify(schema['examples']))
      ? [`@examples ${JSON.stringify(schema['examples'])}`]
      : []),
    ...(schema['writeOnly'] === true || schema['x-sensitive'] === true ? ['@sensitive'] : []),
  ];
}

const boundTags = (schema: JsonSchema, of = '') =>
  tags.filter((tag) => schema[tag] !== undefined).map((tag) => `@${of}${tag} ${tagText(schema[tag])}`);

const patternTags = (schema: JsonSchema, of = '') => {
  const { pattern } = schema as { pattern?: string };
  if (pattern === undefined || isLongArgument(schema) || /\*\//.test(pattern)) return [];
  return [`@${of}pattern ${patternText(pattern)}`];
};

/** The bounds of a schema alone: what a value must keep, and whether it is a secret. */
export const boundsOf = (schema: JsonSchema): string[] => [
  ...boundTags(schema),
  ...patternTags(schema),
  ...(schema['writeOnly'] === true ? ['@sensitive'] : []),
];

/** The same pattern without what has a meaning in a comment: at signs, and spaces at its ends. */
const patternText = (pattern: string) =>
  pattern.replaceAll('@', '\\x40').replaceAll('`', '\\x60').replace(/^ | $/g, '[ ]');
