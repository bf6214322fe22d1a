import { wordsOf } from '@toolwright/json';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const pascalCase = (name: string) => afterLetter(wordsOf(name).map(capital).join(''), 'T');
export const kebabCase = (name: string) => wordsOf(name).join('-');

export function camelCase(name: string): string {
  const [first = '', ...rest] = wordsOf(name);
  return afterLetter(first + rest.map(capital).join(''), 't');
}

/** The name of a schema in a pointer. Of `io.k8s.api.core.v1.Pod` only `Pod` says something. */
export function typeNameOf(pointer: string): string {
  const last = decodeURIComponent(
    pointer
      .split('/')
      .at(-1)!
      .replaceAll('~1', ' ')
      .replace(/%(?![\da-f]{2})/gi, ''),
  );
  const [name, ...before] = last.split('.').reverse();
  return before.length > 1 && wordsOf(name!).length > 0 ? name! : last;
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

export function plural(word: string): string {
  if (/s$/.test(word)) return word;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** Gives each name once. A name that is taken gets the next number. */
export class NameSet {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set([...taken].map((name) => name.toLowerCase()));
  }

  take(wanted: string, longest = Infinity): string {
    let name = wanted.slice(0, longest);
    for (let number = 2; this.taken.has(name.toLowerCase()); number += 1) {
      const ending = /\d$/.test(wanted) ? `_${number}` : String(number);
      name = wanted.slice(0, longest - ending.length) + ending;
    }
    this.taken.add(name.toLowerCase());
    return name;
  }
}
