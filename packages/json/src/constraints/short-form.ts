import { passwordPart, shortFormOf, SYMBOL } from './pattern-words.js';
import { oncePerSchema } from '../schema/once.js';
import { INSIDE, type JsonSchema, isSchema, mapSchema } from '../schema/json-schema.js';
import { visitKeywords } from '../schema/keywords.js';
import { withWords } from '../schema/schema-words.js';
import { pointerToken } from '../base/json-values.js';

/** Formats that say the form of a text completely. A long pattern beside one comes from a library. */
const COMPLETE = new Set(['uuid', 'email', 'date', 'date-time', 'time', 'duration', 'ipv4', 'ipv6']);

/** A pattern that is longer costs more tokens than it helps, if there are other words for it. */
const LONG = 40;

/** One requirement that is checked and not published word for word. */
export interface Unpublished {
  /** The JSON pointer of the schema that has it: `/properties/site`. */
  readonly path: string;
  readonly pattern: string;
  /** What is published in its place: `format: uuid`, or some words. */
  readonly instead: string;
}

/**
 * A schema as a model needs it: the patterns of validators become words, unless a format says the same. Everything
 * that it leaves out is still checked, because arguments are validated with the natural schema.
 *
 * @returns the same schema if there is nothing to shorten; the definitions that schemas share stay shared
 */
export const shortForm: (schema: JsonSchema) => JsonSchema = oncePerSchema((schema) => {
  const { $defs, ...root } = schema;
  if (!$defs) return shortenAll(schema);
  const short = shortenAll(root);
  const entries = Object.entries($defs).map(([name, each]) => [name, shortenOnce(each)] as const);
  const isSame = short === root && entries.every(([name, each]) => each === $defs[name]);
  return isSame ? schema : { ...short, $defs: Object.fromEntries(entries) };
});

const shortenOnce = oncePerSchema(shortenAll);

function shortenAll(schema: JsonSchema): JsonSchema {
  return hasPattern(schema) ? shortenInside(schema) : schema;
}

function hasPattern(schema: JsonSchema): boolean {
  let found = false;
  visitKeywords(schema, (keyword) => (found ||= keyword === 'pattern'));
  return found;
}

/** Parts in which a looser schema may refuse more: what must not match, and alternatives of which one must. */
const EXACT = ['not', 'oneOf', 'if', 'then', 'else', 'propertyNames'];

function shortenInside(schema: JsonSchema): JsonSchema {
  const short = mapSchema(shorten(schema), shortenInside);
  for (const keyword of EXACT) if (schema[keyword] !== undefined) short[keyword] = schema[keyword];
  return short;
}

function shorten(schema: JsonSchema): JsonSchema {
  const found = requirementsOf(schema);
  if (found.length === 0) return schema;
  const left = new Set(found.map(({ pattern }) => pattern));
  const { pattern, allOf, description, ...others } = schema;
  const rest = allOf?.filter((part) => !isPatternAlone(part) || !left.has(part.pattern));
  const words = wordsOf(found);
  const heard = words === '' ? description : withWords(description, words);
  return {
    ...others,
    ...(pattern !== undefined && !left.has(pattern) && { pattern }),
    ...(rest && rest.length > 0 && { allOf: rest }),
    ...(heard !== undefined && { description: heard }),
  };
}

/** Everything in a schema that its short form leaves out. */
export function unpublishedIn(schema: JsonSchema): Unpublished[] {
  const own = requirementsOf(schema).map(({ pattern, words, isSaid }): Omit<Unpublished, 'path'> => {
    const said = schema.format === undefined ? 'contentEncoding' : `format: ${schema.format}`;
    return { pattern, instead: isSaid ? said : words };
  });
  const found = own.map((each) => ({ path: '', ...each }));
  for (const [step, part] of partsIn(schema))
    found.push(...unpublishedIn(part).map((each) => ({ ...each, path: `${step}${each.path}` })));
  return found;
}

const entered = (keyword: string) => !EXACT.includes(keyword);
const [SINGLE, LISTS] = [INSIDE.single.filter(entered), INSIDE.lists.filter(entered)];

/** The parts that the short form enters, each with the steps that lead there. */
function partsIn(schema: JsonSchema): [string, JsonSchema][] {
  const at = (steps: readonly (string | number)[], part: unknown): [string, JsonSchema][] =>
    isSchema(part) ? [[steps.map((step) => `/${pointerToken(String(step))}`).join(''), part]] : [];
  return [
    ...SINGLE.flatMap((keyword) => at([keyword], schema[keyword])),
    ...LISTS.flatMap((keyword) =>
      ((schema[keyword] ?? []) as unknown[]).flatMap((part, index) => at([keyword, index], part)),
    ),
    ...INSIDE.maps.flatMap((keyword) =>
      Object.entries((schema[keyword] ?? {}) as object).flatMap(([name, part]) => at([keyword, name], part)),
    ),
  ];
}

interface Requirement {
  readonly pattern: string;
  readonly words: string;
  /** A format, or another keyword, is published and says the same. */
  readonly isSaid: boolean;
}

function requirementsOf(schema: JsonSchema): Requirement[] {
  const { pattern, allOf } = schema;
  if (pattern === undefined && allOf === undefined) return [];
  const alone = Array.isArray(allOf) ? allOf.filter(isPatternAlone).map((part) => part.pattern) : [];
  const patterns = typeof pattern === 'string' ? [pattern, ...alone] : alone;
  const found = [...patterns.flatMap((each) => requirementOf(each, schema) ?? []), ...passwordOf(alone)];
  if (typeof pattern !== 'string') return found;
  // Some providers refuse `allOf`, so only the first pattern of an author can stay.
  const others = alone.filter((each) => !found.some((known) => known.pattern === each));
  return [
    ...found,
    ...others.map((each) => ({ pattern: each, words: `also matches ${each}`, isSaid: false })),
  ];
}

function requirementOf(pattern: string, schema: JsonSchema): Requirement | undefined {
  const form = shortFormOf(pattern);
  if (form) {
    const { words, format, saidBy } = form;
    const isSaid =
      (format !== undefined && schema.format === format) ||
      (saidBy !== undefined && schema[saidBy] !== undefined);
    return { pattern, words, isSaid };
  }
  const isLibrary = COMPLETE.has(schema.format ?? '') && pattern.length > LONG;
  return isLibrary ? { pattern, words: '', isSaid: true } : undefined;
}

/** The parts of a strong password in words. Without symbols, the patterns are as short. */
function passwordOf(patterns: readonly string[]): Requirement[] {
  if (!patterns.some((pattern) => pattern.startsWith(SYMBOL))) return [];
  return patterns.flatMap((pattern) => {
    const words = passwordPart(pattern);
    return words === undefined ? [] : [{ pattern, words, isSaid: false }];
  });
}

function isPatternAlone(part: unknown): part is JsonSchema & { pattern: string } {
  return isSchema(part) && typeof part.pattern === 'string' && Object.keys(part).length === 1;
}

function wordsOf(found: readonly Requirement[]): string {
  const needed = found.filter(({ isSaid }) => !isSaid);
  const parts = needed.filter(({ pattern }) => passwordPart(pattern) !== undefined);
  const others = needed.filter((each) => !parts.includes(each)).map(({ words }) => sentence(words));
  return [
    ...others,
    ...(parts.length > 0 ? [`Needs ${parts.map(({ words }) => words).join(', ')}.`] : []),
  ].join(' ');
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
