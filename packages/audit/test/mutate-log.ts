/**
 * Returns numbers from 0 up to 1, the same ones for the same seed, so that an undetected mutation can be
 * repeated.
 */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One way to tamper with a file. */
export interface Mutation {
  name: string;
  apply(bytes: Buffer, random: Random): Buffer;
}

const below = (limit: number, random: Random) => Math.floor(random() * limit);

const linesOf = (bytes: Buffer) => bytes.toString('latin1').split(/(?<=\n)/);
const join = (lines: readonly string[]) => Buffer.from(lines.join(''), 'latin1');

/** Edits, deletions, reorders and truncations of bytes and of lines. */
export const mutations: readonly Mutation[] = [
  {
    name: 'change a byte',
    apply(bytes, random) {
      const changed = Buffer.from(bytes);
      const at = below(bytes.length, random);
      changed[at] = (changed[at]! + 1 + below(255, random)) % 256;
      return changed;
    },
  },
  {
    name: 'flip the case of a letter or digit to another',
    apply(bytes, random) {
      const changed = Buffer.from(bytes);
      const at = below(bytes.length, random);
      changed[at] = changed[at]! ^ 0x20;
      return changed;
    },
  },
  {
    name: 'insert a byte',
    apply(bytes, random) {
      const at = below(bytes.length, random);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256, random)]), bytes.subarray(at)]);
    },
  },
  {
    name: 'delete some bytes',
    apply(bytes, random) {
      const at = below(bytes.length, random);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(64, random))]);
    },
  },
  {
    name: 'delete some lines',
    apply(bytes, random) {
      const lines = linesOf(bytes);
      lines.splice(below(lines.length, random), 1 + below(3, random));
      return join(lines);
    },
  },
  {
    name: 'swap two lines',
    apply(bytes, random) {
      const lines = linesOf(bytes);
      const [a, b] = [below(lines.length, random), below(lines.length, random)];
      [lines[a], lines[b]] = [lines[b]!, lines[a]!];
      return join(lines);
    },
  },
  {
    name: 'repeat a line',
    apply(bytes, random) {
      const lines = linesOf(bytes);
      const line = lines[below(lines.length, random)]!;
      lines.splice(below(lines.length, random), 0, line);
      return join(lines);
    },
  },
  {
    name: 'delete a whole batch',
    apply(bytes, random) {
      const batches = batchesOf(bytes);
      batches.splice(below(batches.length, random), 1);
      return join(batches);
    },
  },
  {
    name: 'swap two whole batches',
    apply(bytes, random) {
      const batches = batchesOf(bytes);
      const [a, b] = [below(batches.length, random), below(batches.length, random)];
      [batches[a], batches[b]] = [batches[b]!, batches[a]!];
      return join(batches);
    },
  },
  { name: 'cut the file anywhere', apply: (bytes, random) => bytes.subarray(0, below(bytes.length, random)) },
  {
    name: 'cut the file after a batch',
    apply(bytes, random) {
      const batches = batchesOf(bytes);
      return join(batches.slice(0, below(batches.length, random)));
    },
  },
  {
    name: 'cut the beginning of the file',
    apply(bytes, random) {
      const batches = batchesOf(bytes);
      return join(batches.slice(1 + below(batches.length - 1, random)));
    },
  },
];

function batchesOf(bytes: Buffer): string[] {
  const batches: string[] = [''];
  for (const line of linesOf(bytes)) {
    batches[batches.length - 1] += line;
    if (line.startsWith('{"batch":')) batches.push('');
  }
  return batches.filter((batch) => batch !== '');
}
