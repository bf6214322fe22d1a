import type { AST } from '@eslint-community/regexpp';

/**
 * Characters that tell sets apart: where the sets of `\d`, `\w`, `\s` and `.` begin and end. Of two sets that are made
 * of ranges, what both contain begins where some range begins, or behind the end of one.
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
  // Surrogates, and the ends of planes: with them, `allText` has one of each kind.
  [0xd800, 0xdfff],
  [0x40000, 0xdffff],
  [0xe1000, 0xeffff],
  ...Array.from({ length: 17 }, (_, plane) => [plane * 0x10000 + 0xfffe, plane * 0x10000 + 0xffff] as const),
]);

/** Code points to ask each part of a pattern for: two parts match some character in common only if they do one of these. */
export function characterSamples(nodes: readonly AST.Node[], flags: string): number[] {
  const found = new Set<number>([0, ...common]);
  for (const node of nodes) collect(node, found);
  // A character and what it is without regard to case can be far from each other.
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

/** Where the characters with a property, such as `\p{L}`, begin and end. Looked for among all: 30 ms, once for each. */
function propertyEdges(raw: string): readonly number[] {
  let edges = properties.get(raw);
  if (!edges) {
    const text = allText();
    const runs = [...text.matchAll(new RegExp(`(?:${raw})+`, 'gu'))];
    const ends = runs.flatMap(({ 0: run, index }) => [index, index + run.length]);
    edges = ends.flatMap((at) => text.codePointAt(at) ?? []);
    properties.set(raw, edges);
  }
  return edges;
}

let all: string | undefined;

/** Every character that can have a property of its own: no surrogates, and nothing of the planes that are empty. */
function allText(): string {
  return (all ??= Array.from({ length: 0x41000 }, (_, index) => {
    const character = index < 0x40000 ? index : index - 0x40000 + 0xe0000;
    return character >= 0xd800 && character < 0xe000 ? '' : String.fromCodePoint(character);
  }).join(''));
}

let letters: readonly number[] | undefined;

/** All characters that are another one without regard to case. */
function cased(): readonly number[] {
  return (letters ??= Array.from({ length: 0x1ea00 }, (_, character) => character).filter((character) => {
    const text = String.fromCodePoint(character);
    return text.toLowerCase() !== text || text.toUpperCase() !== text;
  }));
}
