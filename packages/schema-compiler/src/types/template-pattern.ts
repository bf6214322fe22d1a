import { escapePattern } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import { isInteger } from '../program/kept-aliases.js';

/** A type of texts that have a form. */
export type TextType = ts.TemplateLiteralType | ts.StringMappingType;

/** The types of texts among the parts of an intersection, or the type itself. A value has to fit all of them. */
export function textTypesOf(type: ts.Type): TextType[] {
  if (type.isIntersection()) return type.types.flatMap(textTypesOf);
  return type.flags & TEXT ? [type as TextType] : [];
}

const TEXT = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping;

/**
 * The regular expression, with the flag u, that matches the strings of a type of texts. TypeScript takes the first
 * place that has the text after a placeholder, and never tries another one: `` `${number}-${string}` `` has no
 * "-5-x". Of numbers, these patterns have the decimal ones: TypeScript also takes 0x1F and spaces around a number, but not
 * 1e999.
 */
export function templatePattern(type: ts.Type): string {
  // What may end in any way needs no end.
  return `^${textOf(type, '$')}$`.replace(/(?<!\\)\[\\s\\S\]\*\$$/, '');
}

/** What matches the texts of a type up to what follows. A lookahead checks each further part of an intersection. */
function textOf(type: ts.Type, follows: string, guard = ''): string {
  const parts = type.isIntersection()
    ? type.types.filter((part) => !(part.flags & ts.TypeFlags.Object))
    : [type];
  const patterns = [...new Set(parts.flatMap((part) => patternsOf(part, guard, follows)))];
  const last = patterns.pop() ?? anyText(guard);
  return patterns.map((pattern) => `(?=${pattern}${follows})`).join('') + last;
}

/** @param guard a lookahead before each character, which keeps the match in front of the next delimiter */
function patternsOf(type: ts.Type, guard: string, follows: string): string[] {
  const { flags } = type;
  if (flags & ts.TypeFlags.TemplateLiteral) return [templateBody(type as ts.TemplateLiteralType, follows)];
  if (flags & ts.TypeFlags.StringMapping) return mapped(type as ts.StringMappingType, guard, follows);
  if (isInteger(type)) return [integerText(guard)];
  if (flags & ts.TypeFlags.Number) return [numberText(guard)];
  if (flags & ts.TypeFlags.BigInt) return [bigintText(guard)];
  if (flags & ts.TypeFlags.StringLiteral) return [escapePattern((type as ts.StringLiteralType).value)];
  if (flags & ts.TypeFlags.Union) {
    const options = (type as ts.UnionType).types.map((part) => textOf(part, follows, guard));
    return [`(?:${options.join('|')})`];
  }
  return [anyText(guard)];
}

function templateBody({ texts, types }: ts.TemplateLiteralType, follows: string): string {
  const parts = types.map((type, index) => {
    const text = texts[index + 1]!;
    const delimiter = escapePattern(text);
    if (index === types.length - 1) return textOf(type, delimiter + follows) + delimiter;
    // Between two placeholders without a text, the first one takes one character.
    if (text === '') return firstCharacter(type);
    const isFree = isAnyText(type) && types.slice(index + 1).every(isAnyText);
    return textOf(type, delimiter, isFree ? '' : guardOf(type, text)) + delimiter;
  });
  return escapePattern(texts[0]!) + parts.join('');
}

/** Splitting at the first delimiter finds a match of these whenever there is one, so they need no guard. */
function isAnyText({ flags }: ts.Type): boolean {
  return !!(flags & (ts.TypeFlags.String | ts.TypeFlags.Any));
}

/** A number contains no delimiter that begins with another character. */
function guardOf({ flags }: ts.Type, delimiter: string): string {
  const isNumber = flags & (ts.TypeFlags.Number | ts.TypeFlags.BigInt);
  return isNumber && !/^[\d.+e-]/i.test(delimiter) ? '' : `(?!${escapePattern(delimiter)})`;
}

function firstCharacter(type: ts.Type): string {
  if (type.flags & (ts.TypeFlags.Number | ts.TypeFlags.BigInt)) return '\\d';
  if (type.flags & ts.TypeFlags.StringMapping)
    return `(?=[\\s\\S])${caseOf(type as ts.StringMappingType, '').one}`;
  return '[\\s\\S]';
}

function anyText(guard: string): string {
  return repeated('[\\s\\S]', guard, '*');
}

/** A class without the delimiter says the same as a lookahead before each character, and is shorter. */
function repeated(character: string, guard: string, times: '*' | '+'): string {
  const single = delimiterOf(guard);
  if (guard === '' || (character === '\\d' && single !== undefined && !/\d/.test(single)))
    return character + times;
  if (single !== undefined && character === '[\\s\\S]') return `[^${escapeInClass(single)}]${times}`;
  return `(?:${guard}${character})${times}`;
}

/** A decimal number as JavaScript reads it, with a sign and an exponent. */
function numberText(guard: string): string {
  const digits = repeated('\\d', guard, '+');
  const signs = oneOf('+-', guard);
  const sign = signs && optional(signs);
  const point = oneOf('.', guard);
  const decimal = point
    ? `(?:${digits}(?:${point}${repeated('\\d', guard, '*')})?|${point}${digits})`
    : digits;
  const exponents = oneOf('eE', guard);
  return `${sign}${decimal}${exponents && `(?:${exponents}${sign}${digits})?`}`;
}

/** An `integer` of core: a number without a fraction and an exponent. */
function integerText(guard: string): string {
  const sign = oneOf('-', guard);
  return `${sign && optional(sign)}${repeated('\\d', guard, '+')}`;
}

function bigintText(guard: string): string {
  const sign = oneOf('-', guard);
  return `${sign && optional(sign)}(?:${guard}0|${guard}[1-9]${repeated('\\d', guard, '*')})`;
}

/** One of a few characters, without the delimiter; an empty text if none is left. */
function oneOf(characters: string, guard: string): string {
  const single = delimiterOf(guard);
  const left = [...characters].filter((each) => each !== single);
  const pattern = left.length > 1 ? `[${left.join('')}]` : left.map(escapePattern).join('');
  return single === undefined && pattern ? guard + pattern : pattern;
}

/** The delimiter that a guard is for, if it is one character. */
function delimiterOf(guard: string): string | undefined {
  return /^\(\?!\\?([^\\])\)$/.exec(guard)?.[1];
}

function optional(pattern: string): string {
  return pattern.startsWith('(') ? `(?:${pattern})?` : `${pattern}?`;
}

/** Letters of Latin, Greek and Cyrillic. A complete list would need properties of Unicode, which few clients know. */
const LOWER = 'a-zµß-öø-ÿά-ώа-џ';
const UPPER = 'A-ZÀ-ÖØ-ÞΆΈ-ΏΑ-ΫЀ-Я';

/** The case of a text, and what its argument says: `` Uppercase<`${number}`> ``. */
function mapped(type: ts.StringMappingType, guard: string, follows: string): string[] {
  const { type: inner } = type;
  const ofCase = caseOf(type, guard).all;
  return isAnyText(inner) ? [ofCase] : [textOf(inner, follows, guard), ofCase];
}

function caseOf({ symbol }: ts.StringMappingType, guard: string): { one: string; all: string } {
  const { name } = symbol;
  const one = name === 'Uppercase' || name === 'Capitalize' ? `[^${LOWER}]` : `[^${UPPER}]`;
  const isWhole = name === 'Uppercase' || name === 'Lowercase';
  return { one, all: isWhole ? repeated(one, guard, '*') : `(?:${guard}${one}${anyText(guard)})?` };
}

function escapeInClass(character: string): string {
  return character.replace(/[\\\]^-]/, '\\$&');
}
