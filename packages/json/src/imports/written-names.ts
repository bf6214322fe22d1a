import { wordsOf } from '../text/words-of.js';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The words of a name as the name of a type: `Pet store` is `PetStore`. */
export const pascalName = (name: string) => afterLetter(wordsOf(name).map(capital).join(''), 'T');

/** The same as the name of a file: `pet-store`. */
export const kebabName = (name: string) => wordsOf(name).join('-');

/** The same as the name of a method: `petStore`. */
export function camelName(name: string): string {
  const [first = '', ...rest] = wordsOf(name);
  return afterLetter(first + rest.map(capital).join(''), 't');
}

/** A name in TypeScript begins with a letter. */
const afterLetter = (name: string, letter: string) => (/^[a-z]/i.test(name) ? name : letter + name);

/** `pets` is `pet`, `companies` is `company`; words that only look like plurals stay. */
export function singular(word: string): string {
  if (/(?:ss|us|is|news|series|settings|status)$/.test(word)) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|shes|ches|xes)$/.test(word)) return word.slice(0, -2);
  return /s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

/** `pet` is `pets`, `company` is `companies`. */
export function plural(word: string): string {
  if (/s$/.test(word)) return word;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** Hosts accept no longer names, of tools and of their arguments. */
export const LONGEST_NAME = 64;

/** What may be before the names of tools. Half of a name is left for what the tool does. */
export const prefixRule = {
  expected: 'a letter and at most 31 more letters, digits, _ and -',
  accepts: (value: unknown) => typeof value === 'string' && /^[a-z][\w-]{0,31}$/i.test(value),
};

/** Gives each name once. A name that is taken gets the next number. */
export class NameSet {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set([...taken].map((name) => name.toLowerCase()));
  }

  has(name: string): boolean {
    return this.taken.has(name.toLowerCase());
  }

  take(wanted: string, longest = Infinity): string {
    let name = wanted.slice(0, longest);
    for (let number = 2; this.has(name); number += 1) {
      const ending = /\d$/.test(wanted) ? `_${number}` : String(number);
      name = wanted.slice(0, longest - ending.length) + ending;
    }
    this.taken.add(name.toLowerCase());
    return name;
  }
}
