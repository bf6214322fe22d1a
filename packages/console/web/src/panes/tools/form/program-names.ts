/** A tool whose name fits what is being written. */
export interface NameCompletion {
  readonly name: string;
  /** Where the text is put, in place of what is there up to the cursor. */
  readonly from: number;
  readonly text: string;
}

/** As many names fit on two lines. */
const MOST = 12;

/**
 * The tools whose names fit what a program says before the cursor: `tools.`, `tools.find`, `tools['fi`. Names that begin with it come
 * first.
 */
export function completionsAt(before: string, names: readonly string[]): NameCompletion[] {
  const found = /(?<![\w$.])tools(?:\.([\w$]*)|\[(['"])([^'"\n]*))$/.exec(before);
  if (!found) return [];
  const written = (found[1] ?? found[3] ?? '').toLowerCase();
  const from = found.index + 'tools'.length;
  const rank = (name: string) => (name.toLowerCase().startsWith(written) ? 0 : 1);
  return names
    .filter((name) => name.toLowerCase().includes(written))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST)
    .map((name) => ({ name, from, text: isIdentifier(name) ? `.${name}(` : `[${JSON.stringify(name)}](` }));
}

const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name);
