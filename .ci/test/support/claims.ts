/** A line of `docs/claims.md`. */
export interface Claim {
  /** Words of the README. */
  words: string;
  tests: { title: string; file: string }[];
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The cells of each line of each table, without heads. */
function rowsOf(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  const isRule = (line: string | undefined) => line !== undefined && /^\|[ :|-]+\|$/.test(line);
  return lines
    .filter((line, index) => !isRule(line) && !isRule(lines[index + 1]))
    .map((line) => line.slice(1, -1).split(' | ').map(onOneLine));
}

export function claimsOf(page: string): Claim[] {
  return rowsOf(page).map(([words = '', held = '']) => ({
    words,
    tests: [...held.matchAll(/\[((?:[^\]]|\](?!\())*)\]\(([^)]+)\)/g)].map(([, title, file]) => ({
      title: title!.replaceAll('\\', ''),
      file: file!,
    })),
  }));
}

/** Links lose their address: a claim is what a reader sees. */
const seen = (text: string) => onOneLine(text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1'));

/** The sentences of a part of the README, and what its tables list. Code, pictures and heads are left out. */
export function thoughtsOf(markdown: string): string[] {
  const prose = markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/^<picture>[\s\S]*?^<\/picture>$/gm, '')
    .replace(/^(#.*|!\[.*)$/gm, '');
  const paragraphs = prose.split(/\n{2,}/).filter((part) => !part.trimStart().startsWith('|'));
  const sentences = paragraphs.flatMap((part) => seen(part).split(/(?<=[.:]\)?) (?=[A-Z`])/));
  const cells = rowsOf(prose).flatMap(([, ...rest]) =>
    rest.flatMap((cell) =>
      seen(cell)
        .split(/[;,] (?:or |and )?/)
        // A list in brackets was cut: `workerd)`.
        .map((item) => item.replace(/^([^(]*)\)$/, '$1')),
    ),
  );
  return [...sentences, ...cells].filter((text) => text !== '');
}

/** The part of a page below a heading of the second level. */
export function sectionOf(page: string, heading: string): string {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`The page has no section "${heading}".`);
  return section.slice(heading.length);
}

/** Whether a test with this title stands in the source. */
export function hasTest(source: string, title: string): boolean {
  const escaped = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])${escaped}\\1`).test(source);
}
