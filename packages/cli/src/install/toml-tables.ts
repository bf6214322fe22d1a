/** A table of a TOML text: its header, and where it begins and ends. */
export interface TomlTable {
  /** The text between the brackets. */
  readonly header: string;
  readonly start: number;
  /** The end of its last line that is neither empty nor a comment. What follows belongs to the next table. */
  readonly end: number;
}

const STRINGS = /"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?/y;
const HEADER = /[ \t]*\[(\[?[^\n]*?\]?)\][ \t]*(?:#[^\n]*)?(?=\r?\n|$)/y;

/** The tables of a TOML text that have headers, in their order. */
export function tomlTables(text: string): TomlTable[] {
  const tables: { header: string; start: number; end: number }[] = [];
  let depth = 0;
  let isLineStart = true;
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    if (isLineStart && depth === 0) {
      const [line, header] = match(HEADER, text, at) ?? [];
      if (line !== undefined) {
        tables.push({ header: header!, start: at, end: at + line.length });
        at += line.length;
        isLineStart = false;
        continue;
      }
    }
    const skipped =
      match(STRINGS, text, at)?.[0] ?? (character === '#' ? match(/[^\n]*/y, text, at)![0] : character);
    if (character === '[' || character === '{') depth++;
    if (character === ']' || character === '}') depth--;
    isLineStart = character === '\n';
    at += skipped.length;
    const isContent = character !== '#' && character.trim() !== '';
    if (isContent && tables.length > 0) tables.at(-1)!.end = at;
  }
  return tables.map((table) => ({ ...table, end: endOfLine(text, table.end) }));
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}

/** A comment at the end of a line belongs to the line. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}
