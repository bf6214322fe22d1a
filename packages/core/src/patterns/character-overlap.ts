/** Beyond the first code points, one of each kind that patterns tell apart. */
const samples = [
  ...Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code)),
  ...'αЖאبक中あ가€∑→😀\u2003\u2028\u{10fffd}',
];

/** Tells whether some character matches at all of the positions. */
export type Overlap = (...positions: readonly number[]) => boolean;

/**
 * @param characters the source of what each position matches; asked of the pattern itself, over samples and its own
 */
export function overlapOf(characters: readonly string[]): Overlap {
  const alphabet = [...new Set([...samples, ...characters.join('')])];
  const known = new Map<string, ReadonlySet<string>>();
  const matches = (raw: string): ReadonlySet<string> => {
    let set = known.get(raw);
    if (!set) {
      const pattern = new RegExp(`^${raw}$`, 'u');
      known.set(raw, (set = new Set(alphabet.filter((character) => pattern.test(character)))));
    }
    return set;
  };
  const verdicts = new Map<string, boolean>();
  return (...positions) => {
    const sources = [...new Set(positions.map((position) => characters[position]!))].sort();
    if (sources.length === 1) return true;
    const key = sources.join('\n');
    let verdict = verdicts.get(key);
    if (verdict === undefined) {
      const [first, ...others] = sources.map(matches);
      verdict = [...first!].some((character) => others.every((set) => set.has(character)));
      verdicts.set(key, verdict);
    }
    return verdict;
  };
}
