import { LongInteger, holdsInteger, isExact as holdsAll, isUnicodePattern, readJson } from '@toolwright/json';
import type { Definition, ts } from '../generator/tjs-adapter.js';
import { bothHold } from './both-hold.js';
import { parsePostponed } from './postponed-docs.js';
import { commentsAt } from './comments-at.js';
import { type CommentTag, textOf } from './comment-parts.js';
import { SCHEMA_TAGS, type TagValue, isHeldTo, nearestTag } from './schema-tags.js';

/** What the doc comments of one symbol say about its schema. */
export interface DocKeywords {
  keywords: Definition;
  /** The text of tags whose value depends on the type: for a string, `@default 10` means `"10"`. */
  raw: { default?: string; examples?: string[] };
  /** Keywords of the items: `@items.minimum 1`. */
  items?: Definition;
  nullable: boolean;
  problems: {
    code: 'TW_SCHEMA_UNKNOWN_TAG' | 'TW_SCHEMA_TAG_VALUE' | 'TW_SCHEMA_PATTERN' | 'TW_SCHEMA_LOST_RULE';
    detail: string;
    /** Its place, if it is not that of the symbol. */
    node?: ts.Node;
  }[];
}

type Tag = Pick<CommentTag, 'name' | 'text'>;

/**
 * Reads description and constraint tags of a property, parameter, type alias or class from its own declarations.
 * `DocComments` adds what it inherits.
 */
export function readDocKeywords(symbol: ts.Symbol): DocKeywords {
  parsePostponed(symbol);
  return readComments(symbol.declarations ?? []);
}

/** The same for declarations. */
export function readComments(declarations: readonly ts.Declaration[]): DocKeywords {
  const comments = declarations.flatMap(commentsAt);
  const descriptions = comments.flatMap(({ description }) => description || []);
  const found = readTags(comments.flatMap(({ tags }) => tags));
  for (const text of descriptions) found.problems.push(...glued(text));
  const description = [...new Set(descriptions)].join('\n');
  return { ...found, keywords: { ...(description && { description }), ...found.keywords } };
}

/** Limits and marks that TypeScript takes for words, because there is no space before them: `(@minimum 1)`. */
function glued(text: string): DocKeywords['problems'] {
  const words = text.replace(/(`+)[^]*?\1/g, '');
  return [...words.matchAll(/(?<=\S)@(\w+)(?![.\w/-]*\w)[\t ]*(\S*)/g)].flatMap(
    ([, name = '', value = '']) => {
      const isTag = isHeldTo(name) && (SCHEMA_TAGS[name] !== 'number' || /^[+-]?\.?\d/.test(value));
      if (!isTag) return [];
      return [
        { code: 'TW_SCHEMA_LOST_RULE', detail: `@${name} has no space before it, so that it is not read.` },
      ];
    },
  );
}

/** Reads tags, such as those on the line of a `@param`. */
export function readTags(tags: readonly Tag[]): DocKeywords {
  const found: DocKeywords = { keywords: {}, raw: {}, nullable: false, problems: [] };
  for (const tag of tags) readTag(tag, found);
  return found;
}

function readTag(tag: Tag, found: DocKeywords): void {
  const { name, text } = normalise(tag);
  if (name === 'nullable') found.nullable = true;
  else if (name === 'sensitive') found.keywords['x-sensitive'] = true;
  else if (name === 'deprecated') found.keywords.deprecated = textOf(text) || true;
  else if (name === 'example') addExamples(found, [text]);
  else if (name === 'examples') readExamples(text, found);
  else if (/^(items|additionalProperties|contains)\.\w+$/.test(name)) readNested(name, text, found);
  else if (name === 'description') {
    // Without a text, it does not take away the words before it.
    if (text !== '') found.keywords.description = textOf(text);
  } else if (name.startsWith('x-')) found.keywords[name] = jsonOrText(text);
  else if (Object.hasOwn(SCHEMA_TAGS, name)) readKeyword(name, text, found);
  else {
    const near = nearestTag(name);
    if (near)
      found.problems.push({
        code: isHeldTo(near) ? 'TW_SCHEMA_LOST_RULE' : 'TW_SCHEMA_UNKNOWN_TAG',
        detail: `@${name} is unknown; did you mean @${near}?`,
      });
  }
}

/**
 * Linters that know only JSDoc's own tags want `@TJS-type integer` or `@TJS - type integer` instead of
 * `@type integer`.
 */
function normalise({ name, text }: Tag): Tag {
  if (name.startsWith('TJS-')) return { name: name.slice(4), text: text || 'true' };
  const dashed = name === 'TJS' ? /^-\s*([\w.]+)\s*([\s\S]*)$/.exec(text) : undefined;
  if (dashed) return { name: dashed[1]!, text: dashed[2]!.trim() || 'true' };
  const extension = name === 'x' ? /^-([\w-]+)\s+(\S[\s\S]*)$/.exec(text) : undefined;
  if (extension) return { name: `x-${extension[1]}`, text: extension[2]! };
  const grouped = /^(items|additionalProperties|contains)$/.test(name)
    ? /^\.?([A-Za-z]\w*)\s+(\S[\s\S]*)$/.exec(text)
    : undefined;
  return grouped && Object.hasOwn(SCHEMA_TAGS, grouped[1]!)
    ? { name: `${name}.${grouped[1]}`, text: grouped[2]! }
    : { name, text };
}

function readKeyword(name: string, written: string, found: DocKeywords): void {
  const text = name === 'default' ? written.replace(/^(['`])(.*)\1$/s, '$2') : written;
  // Many comments use this to say that there is no default.
  if (name === 'default' && text === 'undefined') return;
  const value = parseTagValue(name, text, found);
  if (value === undefined) return;
  // A limit may be there twice: in a `@param`, and at the parameter.
  found.keywords = bothHold({ [name]: value }, found.keywords);
  if (name === 'default') found.raw.default = text;
}

function readNested(name: string, text: string, found: DocKeywords): void {
  const [outer, inner] = name.split('.') as [string, string];
  const value = parseTagValue(inner, text, found);
  if (value === undefined) return;
  if (outer === 'items') found.items = bothHold({ [inner]: value }, found.items ?? {});
  else found.keywords[outer] = bothHold({ [inner]: value }, (found.keywords[outer] ?? {}) as Definition);
}

function parseTagValue(name: string, text: string, found: DocKeywords): unknown {
  const value = PARSERS[SCHEMA_TAGS[name] ?? 'json'](text);
  const isLost = isRounded(name, text);
  if (value === undefined || isLost || isOutOfRange(name, value)) {
    found.problems.push({
      code: isLost || isHeldTo(name) ? 'TW_SCHEMA_LOST_RULE' : 'TW_SCHEMA_TAG_VALUE',
      detail: `@${name} cannot have the value ${JSON.stringify(text)}.`,
    });
    return undefined;
  }
  if (name === 'type' && ![value].flat().every((type) => TYPES.includes(type as string))) {
    const detail = `@type ${text} is none of ${TYPES.join(', ')}.`;
    found.problems.push({ code: 'TW_SCHEMA_TAG_VALUE', detail });
    return undefined;
  }
  if (name !== 'pattern') return value;
  if (NEVER_MATCHES.test(value as string)) {
    const detail = `@pattern ${text} matches nothing: write the expression alone, without slashes and words around it.`;
    found.problems.push({ code: 'TW_SCHEMA_LOST_RULE', detail });
    return undefined;
  }
  if (isUnicodePattern(value as string)) return value;
  found.problems.push({ code: 'TW_SCHEMA_PATTERN', detail: `@pattern ${text} is not a valid expression.` });
  return undefined;
}

/** `/^[a-z]+$/` with its slashes, and `^[a-z]+$ letters only` with words behind it. */
const NEVER_MATCHES = /^\/\^.*\$\/[a-z]*$|^\^[^]*(?<!\\)\$ +\w/;

const COUNTS = /^(?:min|max)(?:Length|Items|Properties)$/;

/** JSON Schema does not allow such a value. Readers would refuse the whole schema, or every value. */
function isOutOfRange(name: string, value: unknown): boolean {
  if (COUNTS.test(name)) return !Number.isInteger(value) || (value as number) < 0;
  if (SCHEMAS.has(name)) return typeof value !== 'boolean' && (typeof value !== 'object' || value === null);
  return name === 'multipleOf' && (value as number) <= 0;
}

/** Their value is a schema. typia's `@items 3` is a length. */
const SCHEMAS = new Set(['items', 'contains', 'additionalProperties']);

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** `@examples ["a", "b"]` is a list of examples. Anything that is not a list is one example. */
function readExamples(text: string, found: DocKeywords): void {
  const list = parseJson(text);
  if (Array.isArray(list))
    found.keywords.examples = [...((found.keywords.examples as unknown[]) ?? []), ...(list as unknown[])];
  else addExamples(found, [text]);
}

function addExamples(found: DocKeywords, texts: string[]): void {
  found.raw.examples = [...(found.raw.examples ?? []), ...texts];
  found.keywords.examples = [...((found.keywords.examples as unknown[]) ?? []), ...texts.map(jsonOrText)];
}

const PARSERS: Record<TagValue, (text: string) => unknown> = {
  number: (text) => (text !== '' && isExact(text) ? Number(text) : undefined),
  string: (text) => unquote(text),
  boolean: (text) => (text === '' || text === 'true' ? true : text === 'false' ? false : undefined),
  flag: () => true,
  json: jsonOrText,
  list: (text) => {
    const list = parseJson(text);
    return Array.isArray(list) ? list : undefined;
  },
};

/** In typescript-json-schema, `require(…)` in a tag ran code. Here it is text like any other. */
function jsonOrText(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** Whether a number has the value that its text says. JavaScript would round `9007199254740993`, which is another id. */
function isExact(text: string): boolean {
  return Number.isFinite(Number(text)) && (!/^-?\d+$/.test(text) || holdsInteger(text));
}

/** Integers that a number does not hold are digits as a string, which a `bigint` takes. */
function parseJson(text: string): unknown {
  try {
    const value = readJson(text);
    if (value instanceof LongInteger || (typeof value === 'number' && !isExact(text))) return undefined;
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a keyword of a schema in a tag would have another value than its text. */
function isRounded(name: string, text: string): boolean {
  try {
    return SCHEMAS.has(name) && !holdsAll(readJson(text));
  } catch {
    return false;
  }
}

function unquote(text: string): string {
  const value = /^".*"$/s.test(text) ? parseJson(text) : undefined;
  return typeof value === 'string' ? value : text;
}
