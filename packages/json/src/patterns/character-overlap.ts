import type { AST } from '@eslint-community/regexpp';
import type { AnalysisWork } from './work.js';
import { getOrMake } from '../schema/once.js';

/**
 * What one position of a pattern matches: a character, a class of characters, or (without a node) any
 * character.
 */
export interface Characters {
  readonly node?: AST.Node;
  /** The flags of the pattern, with the changes of a group such as `(?i:…)`. */
  readonly flags: string;
}

/** Whether some character matches at all of two or three positions. */
export type Overlap = (...positions: readonly number[]) => boolean;

/**
 * @param characters what each position matches; this is tested with the regular expression itself, on sample
 * characters
 * @param work what is left for the analysis; the function throws when it is used up
 */
export function overlapOf(characters: readonly Characters[], work: AnalysisWork): Overlap {
  const sources = characters.map(({ node, flags }) => `${flags}/${node?.raw ?? '[^]'}`);
  const distinct = new Map<string, number>();
  const first: number[] = [];
  const kinds = sources.map((source, position) => {
    let kind = distinct.get(source);
    if (kind === undefined) {
      distinct.set(source, (kind = distinct.size));
      first.push(position);
    }
    return kind;
  });
  const sets: ReadonlySet<string>[] = [];
  let samples: readonly string[] | undefined;
  const matches = (kind: number): ReadonlySet<string> => {
    samples ??= samplesOf(first.map((position) => characters[position]!));
    let set = sets[kind];
    if (!set) {
      work.take(samples.length);
      sets[kind] = set = matched(characters[first[kind]!]!, samples);
    }
    return set;
  };
  const verdicts = new Map<number, boolean>();
  return (...positions) => {
    const [one = 0, two = one, three = two] = positions.map((position) => kinds[position]!).sort(ascending);
    if (one === three) return true;
    const key = (one * distinct.size + two) * distinct.size + three;
    let verdict = verdicts.get(key);
    if (verdict === undefined) {
      const sets = [matches(one), matches(two), matches(three)].sort((a, b) => a.size - b.size);
      const [fewest, ...others] = sets as [ReadonlySet<string>, ...ReadonlySet<string>[]];
      work.take(fewest.size);
      verdict = [...fewest].some((character) => others.every((set) => set.has(character)));
      verdicts.set(key, verdict);
    }
    return verdict;
  };
}

const ascending = (one: number, other: number) => one - other;

function matched({ node, flags }: Characters, samples: readonly string[]): ReadonlySet<string> {
  const pattern = new RegExp(`^(?:${node?.raw ?? '[^]'})$`, flags.replace(/[gymd]/g, ''));
  return new Set(samples.filter((character) => pattern.test(character)));
}

function samplesOf(characters: readonly Characters[]): string[] {
  const nodes = characters.flatMap(({ node }) => (node ? [node] : []));
  const flags = [...new Set(characters.flatMap((each) => [...each.flags]))].join('');
  return characterSamples(nodes, flags).map((character) =>
    character > 0xffff ? String.fromCodePoint(character) : String.fromCharCode(character),
  );
}

/**
 * Sample characters: the first and last characters of the sets `\d`, `\w`, `\s` and `.`. If two sets consist
 * of ranges, their common part begins where a range begins, or directly after the end of one.
 */
const common = edgesOf([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
  // Surrogates and the ends of planes, so that `allText` contains a character of each kind.
  [0xd800, 0xdfff],
  [0x40000, 0xdffff],
  [0xe1000, 0xeffff],
  ...Array.from({ length: 17 }, (_, plane) => [plane * 0x10000 + 0xfffe, plane * 0x10000 + 0xffff] as const),
]);

/**
 * The code points to test each part of a pattern with. Two parts have a common character only if they have
 * one of these in common.
 */
function characterSamples(nodes: readonly AST.Node[], flags: string): number[] {
  const found = new Set<number>([0, ...common]);
  for (const node of nodes) collect(node, found);
  // A character and its form in another case may be far from each other.
  if (flags.includes('i')) for (const character of cased()) found.add(character);
  const isUnicode = /[uv]/.test(flags);
  return [...found].filter((character) => character <= (isUnicode ? 0x10ffff : 0xffff));
}

function collect(node: AST.Node, found: Set<number>): void {
  switch (node.type) {
    case 'Character':
      return add(found, edgesOf([[node.value, node.value]]));
    case 'CharacterClassRange':
      return add(found, edgesOf([[node.min.value, node.max.value]]));
    case 'CharacterSet':
      if (node.kind === 'property' && !node.strings) add(found, propertyEdges(node.raw));
      return;
    case 'CharacterClass':
      return node.elements.forEach((element) => collect(element, found));
    case 'ExpressionCharacterClass':
      return collect(node.expression, found);
    case 'ClassIntersection':
    case 'ClassSubtraction':
      collect(node.left, found);
      return collect(node.right, found);
    default:
  }
}

function add(found: Set<number>, characters: Iterable<number>): void {
  for (const character of characters) found.add(character);
}

function edgesOf(ranges: readonly (readonly [number, number])[]): number[] {
  return ranges.flatMap(([first, last]) => [first, Math.min(last + 1, 0x10ffff)]);
}

const properties = new Map<string, readonly number[]>();

/**
 * The first and last characters of the ranges with a property, such as `\p{L}`. All characters are searched,
 * which takes 10 ms, once per property.
 */
function propertyEdges(raw: string): readonly number[] {
  return getOrMake(properties, raw, () => {
    const text = allText();
    const runs = [...text.matchAll(new RegExp(`(?:${raw})+`, 'gu'))];
    const ends = runs.flatMap(({ 0: run, index }) => [index, index + run.length]);
    return ends.flatMap((at) => text.codePointAt(at) ?? []);
  });
}

let all: string | undefined;

/** Every character that can have a property: without surrogates, and without planes that are empty. */
function allText(): string {
  return (all ??=
    textOf(0, 0xd7ff) + textOf(0xe000, 0xffff) + textOf(0x10000, 0x3ffff) + textOf(0xe0000, 0xe0fff));
}

/** A text of one character after the other takes fifty times as long to make. */
function textOf(first: number, last: number): string {
  let text = '';
  const part: number[] = [];
  for (let character = first; character <= last; character++) {
    part.push(character);
    if (part.length < 4_096 && character < last) continue;
    text += String.fromCodePoint(...part);
    part.length = 0;
  }
  return text;
}

let letters: readonly number[] | undefined;

/** All characters that equal another one if case is ignored. */
function cased(): readonly number[] {
  return (letters ??= Array.from({ length: 0x1ea00 }, (_, character) => character).filter((character) => {
    const text = String.fromCodePoint(character);
    return text.toLowerCase() !== text || text.toUpperCase() !== text;
  }));
}
