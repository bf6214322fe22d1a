/** A page before the generator reads it. */
export interface Page {
  /** Where it stands on the site: `adr/index.md`. */
  path: string;
  markdown: string;
  /** The file it was made from, relative to the repository; links on it are relative to this file. */
  origin?: string;
  frontmatter?: Record<string, unknown>;
}

/** The text of its first heading, without marks. */
export function titleOf({ markdown, path }: Pick<Page, 'markdown' | 'path'>): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`${path} has no title.`);
  return title.replace(/`|\\|~~/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/** The first sentence of the first paragraph: what search engines and `llms.txt` say about the page. */
export function summaryOf({ markdown }: Pick<Page, 'markdown'>): string | undefined {
  const paragraph = markdown.split(/\n{2,}/).find((part) => /^(?!```|[#|-]|\d+\.)\S/.test(part));
  const plain = paragraph
    ?.replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '');
  return plain && (/^.+?[.?!:](?= |$)/.exec(plain)?.[0] ?? plain).trim();
}

/** Changes what stands outside of code blocks. */
export function mapProse(markdown: string, change: (prose: string) => string): string {
  return markdown
    .split(/^(\s*```[\s\S]*?^\s*```\s*$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}
