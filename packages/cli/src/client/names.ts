/** The words in `find_notes`, `find-notes` and `notes.find`: letters and digits only. */
function wordsOf(name: string): string[] {
  return name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
}

/** `find_notes` -> `FindNotes`. The result never begins with a digit. */
export function pascalCase(name: string): string {
  const joined = wordsOf(name)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
  return /^\d/.test(joined) || joined === '' ? `T${joined}` : joined;
}

/** `find_notes` -> `findNotes`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal[0]!.toLowerCase() + pascal.slice(1);
}

/** Makes every name unique: a repeated name gets a number. */
export class UniqueNames {
  private readonly taken: Set<string>;

  constructor(reserved: readonly string[]) {
    this.taken = new Set(reserved);
  }

  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.taken.has(name); count++) name = `${wanted}${count}`;
    this.taken.add(name);
    return name;
  }
}
