import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spokenStem } from '../../src/everyday/base-forms.js';
import { CODES, GAP, type PackedPhrases, shortCodes } from '../../src/everyday/phrase-codes.js';
import { splitWords, stem } from '../../src/words.js';

const folder = join(__dirname, '../../phrases');

interface Line {
  readonly areAllMeant: boolean;
  readonly meant: readonly string[];
  readonly phrases: string[][];
}

/** The phrases of `phrases/*.txt`, in short. */
export function packPhrases(): PackedPhrases {
  const names = readdirSync(folder).filter((name) => name !== 'verbs.txt');
  const deeds = readLines(['verbs.txt']);
  const things = readLines(names);
  const counts = new Map<string, number>();
  for (const { meant, phrases } of [...deeds, ...things])
    for (const word of [...meant, ...phrases.flat()]) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([word]) => word);
  const short = shortCodes(words.length);
  const codes = new Map(
    words.map((word, at) => [
      word,
      at < short
        ? CODES[at]!
        : CODES[short + Math.floor((at - short) / CODES.length)]! + CODES[(at - short) % CODES.length]!,
    ]),
  );
  const pack = (all: readonly string[]) => all.map((word) => codes.get(word)!).join('');
  const packLines = (lines: readonly Line[]) =>
    lines
      .map(
        ({ areAllMeant, meant, phrases }) =>
          `${areAllMeant ? '~' : ''}${pack(meant)}:${phrases.map(pack).join(' ')}`,
      )
      .join(',');
  return { words: words.join(' '), deeds: packLines(deeds), things: packLines(things) };
}

/** The lines of files. Lines of one meaning are one, and each has a phrase once. */
function readLines(names: readonly string[]): Line[] {
  const lines = new Map<string, Line & { known: Set<string> }>();
  for (const name of [...names].sort())
    for (const text of readFileSync(join(folder, name), 'utf8').trim().split('\n')) {
      if (text.startsWith('#')) continue;
      const [, meaning, said] = /^([a-z0-9 +]+): (.+)$/.exec(text) ?? [];
      if (meaning === undefined || said === undefined) throw new SyntaxError(`${name}: ${text}`);
      const key = meaning.split(/[ +]/).map(stem);
      const areAllMeant = meaning.includes('+');
      const id = `${areAllMeant} ${key.join(' ')}`;
      const line = lines.get(id) ?? { areAllMeant, meant: key, phrases: [], known: new Set() };
      lines.set(id, line);
      for (const phrase of said.split(', ')) {
        const words = phrase
          .split(' ')
          .flatMap((word) => (word === GAP ? GAP : splitWords(word).map(spokenStem)));
        if (!line.known.has(words.join(' '))) line.phrases.push(words);
        line.known.add(words.join(' '));
      }
    }
  return [...lines.values()];
}
