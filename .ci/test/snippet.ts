/** A `ts` block of a Markdown page, together with the blocks that continue it. */
export interface Snippet {
  /** The page, relative to the root of the repository. */
  page: string;
  /** Name given by a `file=` tag, so that the page's other snippets can import it. */
  file: string | undefined;
  /** Rises when the page writes a file again: the blocks of one stage see each other, and what stayed from before. */
  stage: number;
  lines: string[];
  /** Line number on the page of each line. */
  origin: number[];
}

/**
 * Collects the TypeScript blocks of one page. Each stands alone, unless tagged:
 * - ` ```ts continues` is appended to the block before it;
 * - ` ```ts file=page-store.ts` can be imported by the page's other blocks as `./page-store.js`. A page may write a file
 *   again, as a tutorial does: from there on the blocks see the new one.
 */
export function readSnippets(page: string, markdown: string): Snippet[] {
  const snippets: Snippet[] = [];
  let open: Snippet | undefined;
  let fence: string | undefined;
  markdown.split('\n').forEach((line, index) => {
    const [, marks, info = ''] = /^\s*(`{3,})(.*)$/.exec(line) ?? [];
    if (marks && fence === undefined) {
      fence = marks;
      open = startBlock(page, info.trim().split(/\s+/), snippets);
    } else if (marks === fence && fence !== undefined && info.trim() === '') {
      fence = open = undefined;
    } else if (open) {
      open.lines.push(line);
      open.origin.push(index + 1);
    }
  });
  return snippets;
}

function startBlock(page: string, info: string[], snippets: Snippet[]): Snippet | undefined {
  const [language, ...tags] = info;
  if (language !== 'ts') return undefined;
  if (tags.includes('continues')) return snippets.at(-1);
  const file = tags.find((tag) => tag.startsWith('file='))?.slice('file='.length);
  const last = snippets.at(-1)?.stage ?? 0;
  const isAgain = snippets.some(
    (other) => other.file !== undefined && other.file === file && other.stage === last,
  );
  const snippet: Snippet = { page, file, stage: isAgain ? last + 1 : last, lines: [], origin: [] };
  snippets.push(snippet);
  return snippet;
}
