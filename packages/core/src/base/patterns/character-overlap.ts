import type { AST } from '@eslint-community/regexpp';
import { characterSamples } from './character-samples.js';

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
 */
export function overlapOf(characters: readonly Characters[]): Overlap {
  const sources = characters.map(({ node, flags }) => `${flags}/${node?.raw ?? '[^]'}`);
  const distinct = [...new Set(sources)];
  const kinds = sources.map((source) => distinct.indexOf(source));
  const sets: ReadonlySet<string>[] = [];
  let samples: readonly string[] | undefined;
  const matches = (kind: number): ReadonlySet<string> => {
    samples ??= samplesOf(characters);
    return (sets[kind] ??= matched(characters[kinds.indexOf(kind)]!, samples));
  };
  const verdicts = new Map<number, boolean>();
  return (...positions) => {
    const [one = 0, two = one, three = two] = positions.map((position) => kinds[position]!).sort(ascending);
    if (one === three) return true;
    const key = (one * distinct.length + two) * distinct.length + three;
    let verdict = verdicts.get(key);
    if (verdict === undefined) {
      const others = [matches(two), matches(three)];
      verdict = [...matches(one)].some((character) => others.every((set) => set.has(character)));
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
