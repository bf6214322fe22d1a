import { importLine } from './import-line.js';

interface Imported {
  readonly statement: string;
  readonly names: readonly string[];
}

/** A statement that a person and the new version changed, in the form that it has until the rest is merged. */
interface Joined {
  readonly from: string;
  readonly word: string;
  readonly names: readonly string[];
  /** Names that the new version needs no more. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Joins the imports that both sides changed: editors add the name of a decorator to the line that the import wrote, and a new version
 * adds what it needs there. The three texts have the same statement then, so that nothing is left to merge.
 */
export function joinImports(texts: readonly [base: string, current: string, next: string]): {
  readonly texts: readonly [string, string, string];
  /** Takes names out of the merged text that only the last import needed. */
  readonly finish: (merged: string) => string;
} {
  const [base, current, next] = texts.map(importsOf);
  const joined: Joined[] = [];
  let [before, mine, theirs] = texts;
  for (const [key, { statement, names }] of base!) {
    const [ours, other] = [current!.get(key), next!.get(key)];
    if (!ours || !other || ours.statement === statement || other.statement === statement) continue;
    const [word, from] = key.split(' from ') as [string, string];
    const gone = new Set(names.filter((name) => !other.names.includes(name)));
    const all = [...new Set([...ours.names, ...other.names.filter((name) => !names.includes(name))])];
    const line = importLine(all, from, word);
    joined.push({ from, word, names: all, gone });
    before = before.replace(statement, () => line);
    mine = mine.replace(ours.statement, () => line);
    theirs = theirs.replace(other.statement, () => line);
  }
  return { texts: [before, mine, theirs], finish: (merged) => joined.reduce(withoutUnused, merged) };
}

/** The statements of a text by what they import from. Of two from one module nobody knows which one is meant. */
function importsOf(text: string): ReadonlyMap<string, Imported> {
  const found = new Map<string, Imported>();
  const twice = new Set<string>();
  for (const [statement, word = '', names = '', from = ''] of text.matchAll(
    /^(import\b(?: type)?) \{([^{}]*)\} from '([^'\n]+)';\n/gm,
  )) {
    const key = `${word} from ${from}`;
    if (found.has(key)) twice.add(key);
    const each = names.split(',').map((name) => name.trim());
    found.set(key, { statement, names: each.filter((name) => name !== '') });
  }
  for (const key of twice) found.delete(key);
  return found;
}

function withoutUnused(text: string, { from, word, names, gone }: Joined): string {
  const statement = importLine(names, from, word);
  const rest = text.replace(statement, '');
  const isUsed = (name: string) => new RegExp(`\\b${name.split(' ').at(-1)!}(?![\\w$])`).test(rest);
  const left = names.filter((name) => !gone.has(name) || isUsed(name));
  return text.replace(statement, () => (left.length === 0 ? '' : importLine(left, from, word)));
}
