import type { AST } from '@eslint-community/regexpp';

/** The flags of patterns in JSON Schema. */
export const SCHEMA_FLAGS = 'u';

/** @param source of a valid regular expression with these flags; check it with `isRegExp` */
export function parsePattern(source: string, flags: string): AST.Pattern {
  // Loaded at first need: most schemas have no pattern.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const regexpp = require('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp');
  return new regexpp.RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
}

export function isRegExp(source: string, flags: string): boolean {
  try {
    return Boolean(new RegExp(source, flags));
  } catch {
    return false;
  }
}

export type Alternatives = readonly AST.Alternative[];

/**
 * The lookarounds in a pattern, at any depth. A matcher tries each of them separately, wherever it meets
 * them.
 */
export function lookaroundsOf(alternatives: Alternatives): Alternatives[] {
  return assertionsIn(alternatives).map(({ alternatives: inner }) => inner);
}

/** Whether a part of it must equal the match of an earlier group. */
export function hasBackreference(alternatives: Alternatives): boolean {
  return elementsIn(alternatives).some(({ type }) => type === 'Backreference');
}

function assertionsIn(alternatives: Alternatives): AST.LookaroundAssertion[] {
  return elementsIn(alternatives).filter(
    (element): element is AST.LookaroundAssertion =>
      element.type === 'Assertion' && 'alternatives' in element,
  );
}

function elementsIn(alternatives: Alternatives): AST.Element[] {
  const found: AST.Element[] = [];
  const visit = (element: AST.Element): void => {
    found.push(element);
    if (element.type === 'Quantifier') visit(element.element);
    if ('alternatives' in element) for (const { elements } of element.alternatives) elements.forEach(visit);
  };
  for (const { elements } of alternatives) elements.forEach(visit);
  return found;
}

/** Escapes that mean the same with and without the u flag. */
const SHARED_ESCAPE = /[\^$\\.*+?()[\]{}|/dDwWsSbBtnvfrcxu0-9]/;
const QUANTIFIER = /^\{\d+(?:,\d*)?\}/;
const CLASS_ESCAPE = /^\\[dDwWsS]/;

/**
 * Writes a regular expression that has no u flag as one that means the same with it, as patterns in JSON Schema
 * have it. Without the flag, `]`, `{` and `}` may stand alone, every character may have a backslash, and a class
 * may have a `-` beside `\w`. Such patterns are in libraries: they match with the flags of their own.
 *
 * @returns undefined if there is no such form, or if the text is not a valid pattern without the flag either
 */
export function toUnicodePattern(source: string): string | undefined {
  if (!isRegExp(source, '') || /\\[pPk]/.test(source)) return undefined;
  let written = '';
  let inClass = false;
  for (let at = 0; at < source.length;) {
    const part = partAt(source, at, inClass);
    if (part.text === '[' && !inClass) inClass = true;
    else if (part.text === ']' && inClass) inClass = false;
    written += part.as;
    at += part.text.length;
  }
  return isRegExp(written, SCHEMA_FLAGS) ? written : undefined;
}

/** A part of a pattern, and what is written for it. */
interface Part {
  readonly text: string;
  readonly as: string;
}

function partAt(source: string, at: number, inClass: boolean): Part {
  const rest = source.slice(at);
  if (rest.startsWith('\\')) return escapeAt(rest, inClass);
  if (inClass) return { text: rest[0]!, as: rest[0] === '-' && isAlone(source, at) ? '\\-' : rest[0]! };
  const quantifier = QUANTIFIER.exec(rest)?.[0];
  if (quantifier) return { text: quantifier, as: quantifier };
  return { text: rest[0]!, as: /[\]{}]/.test(rest[0]!) ? `\\${rest[0]}` : rest[0]! };
}

function escapeAt(rest: string, inClass: boolean): Part {
  const text = rest.slice(0, 2);
  const isShared = SHARED_ESCAPE.test(text[1]!) || (inClass && text[1] === '-');
  // A letter stays as it is: the pattern is then refused, which is better than a guess.
  return { text, as: isShared || /\w/.test(text[1]!) ? text : text[1]! };
}

/** Whether a `-` in a class is not a range, because there is a class such as `\w` at one of its sides. */
function isAlone(source: string, at: number): boolean {
  return CLASS_ESCAPE.test(source.slice(at - 2, at)) || CLASS_ESCAPE.test(source.slice(at + 1));
}
